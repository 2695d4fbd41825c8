import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { compareCodePoints } from '../../../benchmarks/python/text.ts'
import type { HelmScope } from './helm-content.ts'

/** The suite or release that was summarised last; of two at the same time the release. Undefined where there is none. */
export const newestScope = async (outputPath: string): Promise<HelmScope | undefined> => {
  const found = [
    ...(await summarised(join(outputPath, 'releases'), 'release')),
    ...(await summarised(join(outputPath, 'runs'), 'suite')),
  ]
  return found.sort((a, b) => b.time - a.time)[0]?.scope
}

const summarised = async (
  folder: string,
  kind: HelmScope['kind'],
): Promise<readonly { readonly scope: HelmScope; readonly time: number }[]> => {
  const names = await readdir(folder).catch(() => [] as string[])
  const times = await Promise.all(
    names.sort(compareCodePoints).map(async (name) => {
      const summary = await stat(join(folder, name, 'summary.json')).catch(() => undefined)
      return summary === undefined ? [] : [{ scope: { kind, name }, time: summary.mtimeMs }]
    }),
  )
  return times.flat()
}
