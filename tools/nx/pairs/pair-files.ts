import { readdir, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { readFile } from '../../../cache/files/read.ts'
import { digestJson, digestOf, type Digest } from '../../../cache/values/digest.ts'
import { packageRoot } from '../../../cache/package-root.ts'
import { isLocalModel, localSettings } from '../../../models/local/settings.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import type { Target } from '../../../targets/record/target.ts'
import { modelFolder } from '../../session/local-models.ts'
import type { Workspace } from '../../session/workspace/workspace.ts'
import { remembered } from '../../../cache/once.ts'

/** Files that a pair hangs on. */
export interface PairFiles {
  /** Relative to the workspace, `/` between the parts: Nx hashes these and `nx affected` looks for them. */
  readonly inside: readonly string[]
  /** Digest of the others: in the installed package, outside the workspace, or data too large to read each time. */
  readonly outside: Digest
}

/** Bytes. Nx reads inputs that git ignores anew for every command, so larger ones go by size and time. */
const LARGE = 16e6

/** Tells the files of targets; each file is looked at once, however many targets share it. */
export const pairFiles = ({ root, config, path }: Workspace): ((target: Target) => Promise<PairFiles>) => {
  const seen = new Map<string, Promise<string | undefined>>()
  const look = (file: string): Promise<string | undefined> =>
    remembered(seen, file, () => identityOf(file, root))
  const filesOf = (deployment: ModelDeployment): readonly string[] =>
    isLocalModel(deployment)
      ? [
          deployment.file,
          relative(
            root,
            modelFolder(localSettings(deployment).source, { workspace: root, dataPath: path(config.data) }),
          ),
        ]
      : [deployment.file]
  return async ({ spec, deployment, judges }) => {
    const declared = [
      ...spec.benchmark.files,
      ...filesOf(deployment),
      ...judges.flatMap((judge) => filesOf(judge.deployment)),
    ]
    const files = [...new Set(declared.map((file) => relative(root, join(root, file))))].toSorted()
    const identities = await Promise.all(files.map((file) => look(join(root, file))))
    return {
      inside: files
        .filter((_, index) => identities[index] === undefined)
        .map((file) => file.replaceAll(sep, '/')),
      outside: digestJson<'file'>(identities.filter((identity) => identity !== undefined)),
    }
  }
}

const isOutside = (file: string): boolean =>
  file.startsWith('..') || isAbsolute(file) || file.split(sep)[0] === 'node_modules'

/**
 * Undefined for a file that Nx can hash itself. A file of our own package goes by its content, so that a new
 * installation of the same version changes nothing; other data by path, size and times: equal bytes with a new time
 * cost one look.
 */
const identityOf = async (file: string, root: string): Promise<string | undefined> => {
  const found = await stat(file, { bigint: true }).catch(() => undefined)
  const inside = !isOutside(relative(root, file))
  if (inside && (found === undefined || (found.isFile() && found.size < LARGE))) return undefined
  const within = relative(packageRoot(), file)
  if (!inside && isOurs(within))
    return `${within.replaceAll(sep, '/')} ${digestOf<'file'>(await readFile(file))}`
  return timesOf(file)
}

const isOurs = (file: string): boolean => !isOutside(file) && /^(?:benchmarks|models)[\\/]/.test(file)

const timesOf = async (file: string): Promise<string> => {
  const found = await stat(file, { bigint: true }).catch(() => undefined)
  if (found === undefined) return `${file} missing`
  if (!found.isDirectory()) return `${file} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`
  const names = (await readdir(file)).toSorted()
  return (await Promise.all(names.map((name) => timesOf(join(file, name))))).join('\n')
}
