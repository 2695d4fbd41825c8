import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { decodeText, readBytes } from '../../../benchmarks/sources/read-text.ts'
import type { ScoreScale } from '../../../benchmarks/scenario/benchmark.ts'
import { EXIT, ProblemError, type ExitCode } from '../../../cache/problems/problem.ts'
import { plural } from '../../../cache/words/number-text.ts'
import { importReturned } from '../../rating-desk/import-returned.ts'
import { importTable } from '../../ratings/import-table.ts'
import type { ImportedRatings } from '../../ratings/imported-ratings.ts'
import { claimRater } from '../../ratings/rating-log.ts'
import { createRatingVault } from '../../ratings/rating-vault.ts'
import { badFlag, boolFlag, nameFlag, textFlag, missingArgument } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import type { Session } from '../../session/session.ts'
import { ratableRuns } from '../common/built-runs.ts'
import { readTables } from '../common/rated-answers.ts'
import { suitesOf } from '../common/suites.ts'
import { withSession } from '../with-session.ts'
import { studyFlag } from './study-flag.ts'

/** `medmake rate import FILE...`: returned sealed files, and tables such as the paper's. The same one twice adds nothing. */
export const rateImport = async (invocation: Invocation): Promise<ExitCode> => {
  const { args, flags, cwd, print } = invocation
  const suite = nameFlag(flags, 'suite')
  if (args.length === 0)
    throw missingArgument(
      'medmake rate import wants the files that came back',
      'Write `medmake rate import main-bob.ratings.json`, or a table: `medmake rate import ratings.csv --suite main`.',
    )
  return withSession(invocation, { suites: suite === undefined ? [] : [suite] }, async (session) => {
    const done: ImportedRatings[] = []
    for (const name of args) {
      const file = resolve(cwd, name)
      const given = await (name.endsWith('.json')
        ? returned(file, session)
        : table(name, invocation, session))
      for (const each of given) {
        done.push(each)
        const text = importedText(name, each, textFlag(flags, 'scale'))
        print(boolFlag(flags, 'json') ? JSON.stringify(each) : text)
      }
    }
    return done.some(({ unlinked }) => unlinked > 0) ? EXIT.incomplete : EXIT.done
  })
}

const returned = async (file: string, session: Session): Promise<readonly ImportedRatings[]> =>
  importReturned(await returnedText(file), {
    file,
    root: session.workspace.root,
    vault: createRatingVault(session.vault),
    claim: (study, rater) => claimRater(session, study, rater),
  })

/** Bytes of a returned file, of a hundred thousand ratings and more. */
const MOST = 64 * 1024 * 1024

const returnedText = async (file: string): Promise<string> => {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > MOST)
    throw new ProblemError({
      code: 'ratings/not-returned',
      message: `the file has ${Math.round(size / 1e6)} MB, more than any ratings file`,
      where: { file },
      remedy: 'Name the file that the desk saved at its end, STUDY-RATER.ratings.json.',
    })
  return decodeText(await readBytes(file, 'ratings file'), file)
}

const table = async (
  name: string,
  invocation: Invocation,
  session: Session,
): Promise<readonly ImportedRatings[]> => {
  const { flags } = invocation
  const { workspace, env } = session
  const suite = nameFlag(flags, 'suite')
  const [read] = await readTables([name], invocation)
  if (read === undefined) return []
  const vault = createRatingVault(session.vault)
  const runs =
    suite === undefined
      ? []
      : await ratableRuns(await suitesOf({ ...invocation, args: [suite] }, session), session, invocation)
  return importTable(read, {
    root: workspace.root,
    study: studyFlag(flags, workspace.root),
    names: mapFlag(textFlag(flags, 'map')),
    ...scaleFlag(textFlag(flags, 'scale')),
    runs,
    vault,
    at: `${new Date(env.now()).toISOString().slice(0, 19)}Z`,
    claim: (study, rater) => claimRater(session, study, rater),
  })
}

const importedText = (
  file: string,
  {
    study,
    rater,
    added,
    known,
    passed,
    unlinked,
    withoutJury,
    skipped,
    lacked,
    isNew,
    isOther,
    mappedTo,
  }: ImportedRatings,
  scale: string | undefined,
): string =>
  [
    `${file}: ${plural(added, 'entry', 'entries')} of ${rater} added to ${study}`,
    ...(isOther === true
      ? [
          'of another device than what came before: of what was rated on both the later counts, by their clocks',
        ]
      : []),
    ...(isNew === true ? [`${rater} is new to it`] : []),
    ...(mappedTo === undefined ? [] : [`scores of ${scale ?? ''} mapped to ${mappedTo}`]),
    ...(known > 0 ? [`${plural(known, 'was', 'were')} here already`] : []),
    ...(passed > 0
      ? [`${passed} no longer ${passed === 1 ? 'counts' : 'count'}, as changed or taken back since`]
      : []),
    ...(skipped > 0
      ? [`${plural(skipped, 'row without a score is', 'rows without a score are')} left out`]
      : []),
    ...(unlinked > 0
      ? [
          `${plural(unlinked, 'is', 'are')} of answers that no run here holds: kept, ${withoutJury > 0 ? `${unlinked - withoutJury} ` : ''}in agreement by the table's own jury, in no calibration`,
        ]
      : []),
    ...(lacked === undefined ? [] : [lacked]),
  ].join('; ')

/** `rater=Reviewer,model=System`: what a table calls the columns. @throws ProblemError `cli/bad-flag` */
const mapFlag = (text: string | undefined): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  for (const part of (text ?? '').split(',').filter((each) => each.trim() !== '')) {
    const [ours = '', theirs = '', ...rest] = part.split('=').map((each) => each.trim())
    const isPair = ours !== '' && theirs !== '' && rest.length === 0
    if (!isPair || names.has(theirs))
      throw badFlag(
        '--map',
        `--map ${part} names ${isPair ? 'a column that is mapped already' : 'no pair of columns'}`,
        'Write --map rater=Reviewer,model=System, for instance: ours first, then the name in the table.',
      )
    names.set(theirs, ours)
  }
  return names
}

/** `0-100`, least first. @throws ProblemError `cli/bad-flag` */
const scaleFlag = (text: string | undefined): { readonly scale?: ScoreScale } => {
  if (text === undefined) return {}
  const [, from, to] = /^(-?\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(text.trim()) ?? []
  const scale = { least: Number(from), most: Number(to) }
  if (scale.least < scale.most) return { scale }
  throw badFlag(
    '--scale',
    `--scale ${text} names no scale`,
    'Write --scale 0-100, for instance: the least score first.',
  )
}
