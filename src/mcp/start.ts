/**
 * Starting the MCP server for a database that was named, whether it is there or not.
 *
 * @module
 */

import type { Client } from "../client/client.ts";
import { type NamedDatabase, namedDatabase } from "../client/named_database.ts";
import type { Platform } from "../platform/types.ts";
import { DatabaseClient } from "./database_client.ts";
import { createInstructions } from "./instructions.ts";
import { createMcpServer, streamsOf } from "./server.ts";

/** What the door hands over. */
export interface McpStart {
  /** As the command line or the environment names it. */
  readonly path: string;
  /** A client of a database that is there. */
  connect(path: string): Client;
  create(path: string): Promise<void>;
}

/**
 * Serves standard input and output until the input ends.
 *
 * @throws {KbdbError} if the path cannot become a database (D61)
 */
export async function startMcpServer(platform: Platform, start: McpStart): Promise<void> {
  const database = namedDatabase(platform, start.path);
  const { path } = database;
  const client = new DatabaseClient({
    exists: () => database.exists(),
    create: () => start.create(path),
    connect: () => start.connect(path),
    onCreated: () => {
      const sentence = `There was no database yet: made ${path}`;
      void server.session.databaseCreated(sentence).catch(() => {});
      return sentence;
    },
  });
  const server = createMcpServer(client, {
    instructions: textFor(database),
    databasePath: path,
    streams: streamsOf(platform.terminal),
  });
  await server.listen();
}

/** The instructions for a database that was named. */
export function instructionsFor(platform: Platform, path: string): string {
  return textFor(namedDatabase(platform, path));
}

function textFor(database: NamedDatabase): string {
  return createInstructions({ name: database.name(), absent: !database.exists() });
}
