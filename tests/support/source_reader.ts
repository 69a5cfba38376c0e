/**
 * Reads imports and host names from TypeScript source with TypeScript's own parser, so that
 * comments, strings and unusual spacing cannot hide or fake one.
 *
 * @module
 */

import ts from "typescript";

/** One import, re-export, dynamic import or `import()` type. */
export interface Import {
  /** `undefined` where the name is computed. */
  readonly specifier: string | undefined;
  /** Whether it vanishes when types are stripped. */
  readonly typeOnly: boolean;
  readonly line: number;
}

/** A place where a runtime's own object is named. */
export interface HostName {
  readonly name: string;
  readonly line: number;
}

/** Parses a source file. */
export function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
}

/** All nodes of a file, in order. */
function* walk(node: ts.Node): Iterable<ts.Node> {
  yield node;
  for (const child of node.getChildren()) yield* walk(child);
}

function lineOf(source: ts.SourceFile, node: ts.Node): number {
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}

/** Everything that a file imports. */
export function readImports(source: ts.SourceFile): Import[] {
  const found: Import[] = [];
  for (const node of walk(source)) {
    const one = importOf(node);
    if (one !== undefined) found.push({ ...one, line: lineOf(source, node) });
  }
  return found;
}

function importOf(node: ts.Node): Omit<Import, "line"> | undefined {
  if (ts.isImportDeclaration(node)) {
    return { specifier: textOf(node.moduleSpecifier), typeOnly: hasTypesOnly(node) };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    return { specifier: textOf(node.moduleSpecifier), typeOnly: exportsTypesOnly(node) };
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [name] = node.arguments;
    return { specifier: textOf(name) ?? urlTextOf(name), typeOnly: false };
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return { specifier: textOf(node.argument.literal), typeOnly: true };
  }
  return undefined;
}

function textOf(node: ts.Node | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined;
}

/** The name in `new URL("./name.ts", import.meta.url).href`. */
function urlTextOf(node: ts.Node): string | undefined {
  if (!ts.isPropertyAccessExpression(node) || node.name.text !== "href") return undefined;
  const url = node.expression;
  if (!ts.isNewExpression(url) || url.expression.getText() !== "URL") return undefined;
  const [name, base] = url.arguments ?? [];
  return base?.getText() === "import.meta.url" ? textOf(name) : undefined;
}

function hasTypesOnly({ importClause: clause }: ts.ImportDeclaration): boolean {
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const named = clause.namedBindings;
  return clause.name === undefined && named !== undefined && ts.isNamedImports(named) &&
    named.elements.every((element) => element.isTypeOnly);
}

function exportsTypesOnly(node: ts.ExportDeclaration): boolean {
  if (node.isTypeOnly) return true;
  const clause = node.exportClause;
  return clause !== undefined && ts.isNamedExports(clause) &&
    clause.elements.every((element) => element.isTypeOnly);
}

/** Where `Deno`, `process` or `Bun` is named, also by way of `globalThis`. */
export function hostNames(source: ts.SourceFile): HostName[] {
  const found: HostName[] = [];
  for (const node of walk(source)) {
    if (!ts.isIdentifier(node) || !namesHost(node)) continue;
    found.push({ name: node.text, line: lineOf(source, node) });
  }
  return found;
}

function namesHost(node: ts.Identifier): boolean {
  if (node.text === "Deno" || node.text === "Bun") return true;
  if (node.text !== "process") return false;
  const parent = node.parent;
  if (!ts.isPropertyAccessExpression(parent)) return ts.isTypeOfExpression(parent);
  if (parent.expression === node) return true;
  return ts.isIdentifier(parent.expression) && parent.expression.text === "globalThis";
}
