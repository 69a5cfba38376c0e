/** `kbdb db init`: makes a database. */

import { resolve } from "node:path";
import { newDatabasePath } from "../../client/locate.ts";
import { type CommandBody, EXIT, textFlag, usageError } from "../command.ts";
import { visibleLine } from "../output.ts";

/** The command. */
export const dbInit: CommandBody = {
  usage: "[FOLDER]",
  details: "Makes FOLDER/.kbdb, or FOLDER itself if its name ends in .kbdb. Without FOLDER, the\n" +
    "folder of --db or KBDB_DIR is made, else .kbdb in the working folder.",
  flags: {
    name: { kind: "text", value: "NAME", help: "Name of the database (else the folder's name)" },
  },
  examples: [
    ["kbdb db init", "Make .kbdb in this folder"],
    ["kbdb db init ~/notes --name notes", "Make ~/notes/.kbdb, named notes"],
  ],
  async run({ platform, args, flags, output, create }) {
    if (args.length > 1) throw usageError("Cannot make several databases at once: name one folder");
    const { host } = platform;
    const named = args[0] ?? textFlag(flags, "db") ?? host.env("KBDB_DIR") ?? ".";
    const path = newDatabasePath(resolve(host.cwd(), named));
    const name = textFlag(flags, "name");
    await create({ path, ...(name === undefined ? {} : { name }) });
    await output.result(
      { path, created: true },
      () => `Made ${visibleLine(path)}\nNext: kbdb learn FILE or FOLDER\n`,
    );
    return EXIT.ok;
  },
};
