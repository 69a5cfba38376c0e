/**
 * Work on many files at once.
 *
 * @module
 */

const AT_ONCE = 16;

/**
 * Runs `work` over all items, a bounded number at a time. After a failure nothing more is begun; it
 * is thrown once what was begun has ended, so that the caller may try again.
 */
export async function inParallel<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  let failed = false;
  const lane = async () => {
    for (let next = queue.next(); !next.done && !failed; next = queue.next()) {
      await work(next.value).catch((error) => {
        failed = true;
        throw error;
      });
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: AT_ONCE }, lane));
  for (const lane of lanes) if (lane.status === "rejected") throw lane.reason;
}
