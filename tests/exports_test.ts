import assert from "node:assert/strict";
import { posix } from "node:path";
import { test } from "node:test";
import ts from "typescript";
import { readProjectFile } from "./support/project.ts";
import { parse } from "./support/source_reader.ts";

/** A name that a module exports, and where it is declared. */
interface Exported {
  readonly name: string;
  readonly file: string;
}

/** The names that `mod.ts` exports; nothing may be exported without being named. */
function exportsOf(file: string): Exported[] {
  return parse(file, readProjectFile(file)).statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) return reExports(file, statement);
    if (!ts.canHaveModifiers(statement) || !hasModifier(statement, ts.SyntaxKind.ExportKeyword)) {
      return [];
    }
    const name = nameOf(statement);
    assert.ok(name !== undefined, `${file} exports something without a name`);
    return [{ name, file }];
  });
}

function reExports(file: string, statement: ts.ExportDeclaration): Exported[] {
  const { exportClause: clause, moduleSpecifier } = statement;
  assert.ok(clause !== undefined && ts.isNamedExports(clause), `${file} re-exports all of a file`);
  assert.ok(moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier));
  const target = posix.join(posix.dirname(file), moduleSpecifier.text);
  return clause.elements.map(({ name, propertyName }) => ({
    name: (propertyName ?? name).text,
    file: target,
  }));
}

function hasModifier(node: ts.HasModifiers, kind: ts.SyntaxKind): boolean {
  return ts.getModifiers(node)?.some((modifier) => modifier.kind === kind) ?? false;
}

function nameOf(node: ts.Node): string | undefined {
  if (ts.isVariableStatement(node)) return nameOf(node.declarationList.declarations[0]);
  const { name } = node as ts.Node & { name?: ts.Node };
  return name !== undefined && ts.isIdentifier(name) ? name.text : undefined;
}

function declarationOf({ name, file }: Exported): ts.Statement {
  const found = parse(file, readProjectFile(file)).statements.find((one) => nameOf(one) === name);
  assert.ok(found !== undefined, `${name} is not declared in ${file}`);
  return found;
}

/** Public methods and getters of a class, or nothing of another declaration. */
function methodsOf(declaration: ts.Statement): ts.ClassElement[] {
  if (!ts.isClassDeclaration(declaration)) return [];
  return declaration.members.filter((member) =>
    (ts.isMethodDeclaration(member) || ts.isGetAccessor(member)) &&
    !ts.isPrivateIdentifier(member.name) &&
    !hasModifier(member, ts.SyntaxKind.PrivateKeyword)
  );
}

function hasDoc(node: ts.Node): boolean {
  return ts.getJSDocCommentsAndTags(node).length > 0;
}

function hasExample(node: ts.Node): boolean {
  return ts.getJSDocTags(node).some((tag) => tag.tagName.text === "example");
}

const exported = exportsOf("mod.ts");

test("mod.ts exports names, and each only once", () => {
  const names = exported.map(({ name }) => name);
  assert.ok(names.includes("openDatabase"));
  assert.deepEqual(names, [...new Set(names)]);
});

test("every name that mod.ts exports has a doc comment, and each method too", () => {
  const bare = exported.flatMap((one) => {
    const declaration = declarationOf(one);
    return [
      ...(hasDoc(declaration) ? [] : [one.name]),
      ...methodsOf(declaration)
        .filter((method) => !hasDoc(method))
        .map((method) => `${one.name}.${method.name?.getText()}`),
    ];
  });
  assert.deepEqual(bare, []);
});

test("every function that mod.ts exports has an example", () => {
  const bare = exported.filter((one) => {
    const declaration = declarationOf(one);
    return ts.isFunctionDeclaration(declaration) && !hasExample(declaration);
  });
  assert.deepEqual(bare, []);
});
