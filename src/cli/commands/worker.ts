/** `kbdb worker`: the daemon of a database. */

import { runningDaemon, stopDaemon } from "../../client/control.ts";
import { type CommandBody, EXIT } from "../command.ts";
import { visibleLine } from "../output.ts";

/** Tells whether a daemon serves. */
export const workerStatus: CommandBody = {
  usage: "",
  details: "Starts none. Exit code 3 where none runs.",
  flags: {},
  examples: [["kbdb worker status", "Process id and version of the daemon"]],
  async run({ platform, output, databasePath }) {
    const path = databasePath();
    const daemon = await runningDaemon(platform, path);
    await output.result(
      daemon ? { running: true, ...daemon } : { running: false },
      () =>
        daemon
          ? visibleLine(`Process ${daemon.pid} (kbdb ${daemon.version}) serves ${path}`) + "\n"
          : `No daemon serves ${visibleLine(path)}; the next command starts one\n`,
    );
    return daemon ? EXIT.ok : EXIT.notFound;
  },
};

/** Asks the daemon to finish and leave. */
export const workerStop: CommandBody = {
  usage: "",
  flags: {},
  examples: [["kbdb worker stop", "Stop the daemon of the nearest database"]],
  async run({ platform, output, databasePath }) {
    const pid = await stopDaemon(platform, databasePath());
    await output.result(
      { stopped: pid !== null, pid },
      () => pid === null ? "No daemon was running\n" : `Process ${pid} has left\n`,
    );
    return EXIT.ok;
  },
};
