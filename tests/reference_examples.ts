/**
 * One call of every tool for the reference, over a database with a few notes. They run one after
 * another, so that what a call finds is the same every time.
 *
 * @module
 */

/** Ids of what the calls so far stored, by the names that they gave it. */
export type KnownIds = Readonly<Record<string, string>>;

/** A call of a tool. */
export interface ExampleCall {
  readonly tool: string;
  readonly args: (ids: KnownIds) => Readonly<Record<string, unknown>>;
  /** Name under which later calls find the kbid of the reply. */
  readonly as?: string;
}

const PARCELS = `# Parcels

Blue parcels go left, all others go right.

## Rates

A parcel of up to 2 kg costs 5 euros. See [hours](hours.md).`;

/** What is in the database before the examples, and not shown. */
export const BEFORE: readonly ExampleCall[] = [
  {
    tool: "learn",
    args: () => ({ content: PARCELS, docid: "handbook/parcels.md", tags: ["desk"] }),
    as: "parcels",
  },
  {
    tool: "learn",
    args: () => ({ content: "The parcel desk closes at five.", docid: "handbook/hours.md" }),
    as: "hours",
  },
  { tool: "learn", args: () => ({ content: "Ada knows where lost letters are." }), as: "lost" },
  {
    tool: "skill-learn",
    args: () => ({
      name: "explain",
      description: "Explains a topic briefly",
      body: "Explain {{ topic }} in two sentences.",
    }),
    as: "explain",
  },
];

/** The calls that the reference shows. */
export const EXAMPLES: readonly ExampleCall[] = [
  { tool: "search", args: () => ({ query: "blue parcel", limit: 2 }) },
  { tool: "recall", args: ({ hours }) => ({ kbid: hours, depth: 1 }) },
  {
    tool: "learn",
    args: () => ({
      content: "Stamps are in the drawer below the desk.",
      docid: "handbook/stamps.md",
      tags: ["desk"],
    }),
  },
  {
    tool: "revise",
    args: ({ hours }) => ({ kbid: hours, content: "The parcel desk closes at six." }),
  },
  { tool: "unlearn", args: ({ lost }) => ({ kbid: lost }) },
  { tool: "history", args: ({ hours }) => ({ kbid: hours }) },
  { tool: "retrieve", args: () => ({ docid: "handbook/parcels.md" }) },
  { tool: "content", args: () => ({ ids: ["handbook/parcels.md", "handbook/stamps.md"] }) },
  { tool: "status", args: () => ({}) },
  { tool: "check", args: () => ({}) },
  { tool: "gc", args: () => ({ dry_run: true }) },
  { tool: "rebuild", args: () => ({}) },
  {
    tool: "skill-learn",
    args: () => ({
      name: "summarize",
      description: "Sums a text up",
      body: "Sum {{ text }} up in {{ count }} points.",
      arguments: [{ name: "count", description: "How many points", required: false }],
    }),
    as: "summarize",
  },
  { tool: "skill-list", args: () => ({}) },
  { tool: "skill-get", args: () => ({ name: "summarize" }) },
  { tool: "skill-delete", args: ({ summarize }) => ({ kbid: summarize }) },
  {
    tool: "agent-create",
    args: ({ explain }) => ({
      name: "teacher",
      description: "Explains things",
      persona: "You are a patient teacher.",
      skills: [explain],
    }),
  },
  { tool: "agent-list", args: () => ({}) },
  { tool: "agent-get", args: () => ({ docid: "agent-teacher" }) },
  { tool: "agent-delete", args: () => ({ docid: "agent-teacher" }) },
];
