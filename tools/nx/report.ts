import type { ExecutorContext } from 'nx/src/devkit-exports.js'

/** The target `report`. */
export const report = async (
  _options: unknown,
  { root }: Pick<ExecutorContext, 'root'>,
): Promise<{ success: boolean }> => {
  process.stdout.write(`report of ${root}\n`)
  return { success: true }
}
