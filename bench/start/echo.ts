/** The least that answers: what a host waits for anyway. */
for await (const chunk of Deno.stdin.readable) await Deno.stdout.write(chunk);
