import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { mirrorPath } from '../../benchmarks/sources/fetch/remote-file.ts'
import { standInMirror } from '../parity/stand-ins.ts'
import { forkMirror } from './fork-mirror.ts'
import { shared } from './shared.ts'

const EHR_SQL = 'https://raw.githubusercontent.com/glee4810/EHRSQL'
const PINNED = 'e172ec8e61391ecae2d872c8d0ba02a622222f54/dataset/ehrsql/eicu'
/** Questions read of each of its files that is not pinned by a digest: all 11,000 would take longer than the other benchmarks. */
const QUESTIONS = 100

/** What `everyBenchmark` reads; where a part is absent, so are the reference results. */
export const everyBenchmarkIsHere = [
  'mirror',
  'golden/public-synthetic',
  'golden/gated-and-private',
  'golden/medhelm-0.8',
  'golden/medhelm-0.8-more',
].every((path) => shared(path) !== undefined)

/**
 * Data for every benchmark that can be run, of both lines: a mirror of the public ones, real where the shared mirror has
 * them, the largest cut short, and the invented files of the others where a workspace's data is looked for.
 *
 * @param workspace its folder; `mirror/` and `cache/data/` are filled
 */
export const everyBenchmark = (workspace: string): void => {
  const mirror = join(workspace, 'mirror')
  mkdirSync(mirror, { recursive: true })
  standInMirror(shared('.') ?? '', mirror, { exams: 1 })
  forkMirror(mirror)
  const copy = (from: string, url: string): void => {
    const path = join(mirror, mirrorPath(url))
    mkdirSync(dirname(path), { recursive: true })
    cpSync(from, path)
  }
  const pinned = (name: string): string => join(mirror, mirrorPath(`${EHR_SQL}/${PINNED}/${name}`))
  copy(pinned('eicu.sql'), `${EHR_SQL}/9eb39b5e1fd0e4e2ec7bc31208a768dcdf873c50/dataset/ehrsql/eicu/eicu.sql`)
  for (const split of ['train.json', 'valid.json', 'test.json']) {
    const questions = JSON.parse(readFileSync(pinned(split), 'utf8')) as readonly unknown[]
    const path = join(mirror, mirrorPath(`${EHR_SQL}/refs/heads/main/dataset/ehrsql/eicu/${split}`))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, JSON.stringify(questions.slice(0, QUESTIONS)))
  }
  copy(
    shared('golden/public-benchmarks/eicu.sqlite') ?? '',
    'https://drive.google.com/uc?export=download&id=1JG9DUdeJeuIXShK6DdEJ61NEyPiaGEKZ',
  )
  const data = join(workspace, 'cache/data')
  const gated = shared('golden/gated-and-private/inputs') ?? ''
  for (const name of readdirSync(gated)) cpSync(join(gated, name), join(data, name), { recursive: true })
  for (const name of ['synt_family_disclosure', 'synt_right_of_access', 'synt_written_consent'])
    cpSync(shared(`golden/medhelm-0.8/synthetic-input/${name}.csv`) ?? '', join(data, name, `${name}.csv`))
}
