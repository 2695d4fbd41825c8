import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, parse } from 'node:path'

const ENDINGS = ['.ts', '.js', '.mjs'] as const

const folderOf = (workspace: string): string => join(workspace, 'targets', 'metrics')

/** File of a metric of the workspace; undefined where it has none of that id. */
export const metricFile = (workspace: string, id: string): string | undefined =>
  ENDINGS.map((ending) => join(folderOf(workspace), `${id}${ending}`)).find((file) => existsSync(file))

/** What else lies beside metrics is what they import. */
const EXPORTS_METRIC = /\bexport\s+(?:const|let|var)\s+metric\b|\bexport\s*\{[^}]*\bmetric\b/

/** Ids of the workspace's metrics, sorted. */
export const metricIds = (workspace: string): readonly string[] => {
  const folder = folderOf(workspace)
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter(
    (name) =>
      ENDINGS.some((ending) => name.endsWith(ending)) &&
      EXPORTS_METRIC.test(readFileSync(join(folder, name), 'utf8')),
  )
  return [...new Set(names.map((name) => parse(name).name))].sort((a, b) => (a < b ? -1 : 1))
}
