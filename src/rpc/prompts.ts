/**
 * What crosses the wire for skills (reusable prompts) and agents (a persona with skills) (D58).
 *
 * @module
 */

/** An argument of a skill: a placeholder `{{ name }}` of its body. */
export interface SkillArgument {
  /** Name of the placeholder. */
  name: string;
  /** What to give. */
  description?: string;
  /** Must be given. @default {true} for arguments that are only found in the body */
  required?: boolean;
}

/** A skill to store. */
export interface NewSkill {
  /** Lower-case words joined by hyphens, at most 64 characters. */
  name: string;
  /** What the skill does. */
  description: string;
  /** Template with placeholders `{{ name }}`. */
  body: string;
  /** Declared arguments; those found in the body are added. */
  arguments?: SkillArgument[];
}

/** Store a skill. */
export interface SkillLearnParams extends NewSkill {
  /** Makes a repeated request harmless. */
  key: string;
}

/** A stored skill, without its body. */
export interface SkillResult {
  /** The skill's id. */
  kbid: string;
  /** Always `skill`. */
  type: string;
  /** The name once more, as section results have it. */
  title: string | null;
  /** What the skill does. */
  description: string | null;
  /** Always 0: skills are found by name, and by search only where it asks for them. */
  indexed_terms_count: number;
  /** Milliseconds that it took. */
  elapsed_ms: number;
  /** Always `false`. */
  attached: boolean;
  /** The same skill was stored before. */
  existing?: boolean;
  /** The skill's name. */
  name: string;
  /** All its arguments. */
  arguments: SkillArgument[];
}

/** A skill as lists show it. */
export interface SkillSummary {
  /** The skill's id. */
  kbid: string;
  /** Its name; of several with one name the newest stands first. */
  name: string;
  /** What it does. */
  description: string;
  /** How many arguments it has. */
  argumentCount: number;
}

/** A whole skill. */
export interface SkillDefinition {
  /** The skill's id. */
  kbid: string;
  /** Its name. */
  name: string;
  /** What it does. */
  description: string;
  /** Its arguments. */
  arguments: SkillArgument[];
  /** Its template. */
  body: string;
}

/** A skill by id or by name; the id counts where both are given. */
export interface SkillGetParams {
  /** Takes the newest of that name (D26). */
  name?: string;
  /** The skill's id. */
  kbid?: string;
}

/** A skill's text with values in the place of its placeholders (D27). */
export interface SkillRenderParams extends SkillGetParams {
  /** Values by argument name. */
  arguments?: Record<string, string>;
}

/** A skill that comes with the program. */
export interface BuiltinSkill {
  /** Its name. */
  name: string;
  /** What it does. */
  description: string;
  /** The database has it as this version of the program brings it. */
  installed: boolean;
}

/** An agent to create. */
export interface NewAgent {
  /** Lower-case words joined by hyphens, at most 64 characters. */
  name: string;
  /** What the agent does. */
  description: string;
  /** Its system prompt. */
  persona: string;
  /** Ids of its skills, in order. */
  skills: string[];
}

/** Create an agent, or put another in its place. */
export interface AgentCreateParams extends NewAgent {
  /** Makes a repeated request harmless. */
  key: string;
}

/** A created agent. */
export interface AgentResult {
  /** `agent-<name>`. */
  docid: string;
  /** Its name. */
  name: string;
  /** Ids of its skills, in order. */
  skills: string[];
}

/** An agent as lists show it. */
export interface AgentSummary {
  /** `agent-<name>`. */
  docid: string;
  /** Its name. */
  name: string;
  /** What it does. */
  description: string;
  /** How many skills it has. */
  skillCount: number;
}

/** A whole agent. */
export interface AgentDefinition {
  /** `agent-<name>`. */
  docid: string;
  /** Its name. */
  name: string;
  /** What it does. */
  description: string;
  /** Its system prompt. */
  persona: string;
  /** Its skills; the name is `null` where a skill was deleted. */
  skills: { kbid: string; name: string | null; position: number }[];
}
