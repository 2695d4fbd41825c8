import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DEFAULT_RESERVE, freeSpace } from '../../cache/disk-space.ts'
import { packageRoot } from '../../cache/package-root.ts'
import { loadOnnxRuntime } from '../../models/onnx-runtime.ts'
import { fine, note, trouble, type DoctorCheck } from './check.ts'

/** The least minor version of a major one: from then on it can `require` a module. None of 21, all above 22. */
const LEAST: ReadonlyMap<number, number> = new Map([
  [20, 19],
  [22, 12],
])

/** @param version of Node, e.g. `20.19.0` */
export const nodeCheck = (version: string): DoctorCheck => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 22 || minor >= (LEAST.get(major) ?? Infinity)
    ? fine('node', version)
    : trouble('node', `${version} is too old`, 'Install Node 22.12 or newer, or 20 from 20.19 on.')
}

/** @param folder that may not exist yet */
export const diskCheck = (folder: string): DoctorCheck => {
  let present = folder
  while (!existsSync(present)) present = dirname(present)
  const free = freeSpace(present)
  const text = `${Math.floor(free / 1e6)} MB free where the store is`
  return free > 10 * DEFAULT_RESERVE
    ? fine('disk', text)
    : trouble('disk', text, `Free some space: the store stops writing below ${DEFAULT_RESERVE / 1e6} MB.`)
}

/** Certificates fail and file times mislead where a clock is far behind. @param now epoch milliseconds */
export const clockCheck = (now: number): DoctorCheck =>
  now >= statSync(join(packageRoot(), 'package.json')).mtimeMs
    ? fine('clock', 'not behind the files of medmake')
    : trouble('clock', 'it is behind the files of medmake', 'Set the clock of this machine.')

/** Wanted for BERTScore and local models only. */
export const onnxCheck = async (): Promise<DoctorCheck> => {
  try {
    await loadOnnxRuntime()
    return fine('onnxruntime', 'installed')
  } catch {
    return note(
      'onnxruntime',
      'not installed: no BERTScore and no local models',
      'npm install onnxruntime-node@1.30.0',
    )
  }
}
