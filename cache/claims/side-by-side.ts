/**
 * Works on items in their order, a number of them at a time. After an error what was begun goes on; the error is thrown
 * at once.
 */
export const sideBySide = async <T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const left = items.values()
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
}
