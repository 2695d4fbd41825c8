import { existsSync, readdirSync } from 'node:fs'
import { join, parse } from 'node:path'
import { readFileSync } from '../../cache/files/plain-file.ts'
import { packageRoot } from '../../cache/package-root.ts'

/** Kinds of code that a workspace brings in a folder of `targets/`, by what a file of it exports. */
export type CodeKind = 'metric' | 'annotator'

const ENDINGS = ['.ts', '.js', '.mjs'] as const

/** Where the workspace's code of that kind lies; it need not be there. */
export const codeFolder = (workspace: string, kind: CodeKind): string =>
  join(workspace, 'targets', `${kind}s`)

/** File of the workspace's code of that id; undefined where it has none. */
export const codeFile = (workspace: string, kind: CodeKind, id: string): string | undefined =>
  /^[\w.-]+$/.test(id)
    ? ENDINGS.map((ending) => join(codeFolder(workspace, kind), `${id}${ending}`)).find((file) =>
        existsSync(file),
      )
    : undefined

/** What else lies beside is what they import. */
const EXPORTS: Readonly<Record<CodeKind, RegExp>> = {
  metric: /\bexport\s+(?:const|let|var)\s+metric\b|\bexport\s*\{[^}]*\bmetric\b/,
  annotator: /\bexport\s+(?:const|let|var)\s+annotator\b|\bexport\s*\{[^}]*\bannotator\b/,
}

/** Names of the files that may hold code of that kind, or what it imports; medmake's own is no workspace's. */
export const codeNames = (workspace: string, kind: CodeKind): readonly string[] => {
  const folder = codeFolder(workspace, kind)
  if (workspace === packageRoot() || !existsSync(folder)) return []
  return readdirSync(folder).filter((name) => ENDINGS.some((ending) => name.endsWith(ending)))
}

/** Ids of the workspace's code of that kind, sorted. */
export const codeIds = (workspace: string, kind: CodeKind): readonly string[] => {
  const names = codeNames(workspace, kind).filter((name) =>
    EXPORTS[kind].test(readFileSync(join(codeFolder(workspace, kind), name), 'utf8')),
  )
  return [...new Set(names.map((name) => parse(name).name))].sort((a, b) => (a < b ? -1 : 1))
}
