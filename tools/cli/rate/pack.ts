import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import type { Access } from '../../../benchmarks/scenario/benchmark.ts'
import { EXIT, ProblemError, type ExitCode } from '../../../cache/problems/problem.ts'
import { replaceFile } from '../../../cache/vault/write-once.ts'
import { currentRatings, subjectKey } from '../../../targets/ratings/current-ratings.ts'
import type { Study } from '../../../targets/ratings/study.ts'
import { unitKey } from '../../../targets/ratings/unit.ts'
import { deskPage } from '../../rating-desk/desk-page.ts'
import { deskTexts } from '../../rating-desk/desk-texts.ts'
import { shownRubric } from '../../rating-desk/desk.ts'
import { sealPack } from '../../rating-desk/pack.ts'
import { subjectOf } from '../../rating-desk/rater-desk.ts'
import { boxOf, newSecret } from '../../rating-desk/seal.ts'
import { readLog } from '../../ratings/rating-log.ts'
import { createRatingVault } from '../../ratings/rating-vault.ts'
import { logFile, requirePlan } from '../../ratings/study-folder.ts'
import type { Config } from '../../session/workspace/config.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { ratableRuns } from '../common/ratable-runs.ts'
import { suitesOf } from '../common/suites.ts'
import { textFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { ratersOf, referenceFlag } from './serve.ts'
import { studyFlag } from './study-flag.ts'

/** `medmake rate pack --rater R`: what the rater has not rated yet, as one sealed file, and its secret on the terminal. */
export const ratePack = async (invocation: Invocation): Promise<ExitCode> => {
  const { flags, cwd, print } = invocation
  const workspace = await findWorkspace(cwd)
  const study = requirePlan(workspace.root, studyFlag(flags, workspace.root))
  const [rater, ...others] = ratersOf(study, textFlag(flags, 'rater'))
  if (rater === undefined || others.length > 0) throw whichRater(study)
  requireLeave(study, rater.units, workspace.config)
  const reference = referenceFlag(flags)
  return withSession(invocation, { workspace }, async (session) => {
    const { events } = readLog(logFile(workspace.root, study.id, rater.name))
    const rated = new Set(currentRatings(events).map(({ subject }) => subjectKey(subject)))
    const byNumber = new Map(study.units.map((unit) => [unit.number, unit]))
    const open = rater.units
      .flatMap((number) => byNumber.get(number) ?? [])
      .filter((unit) => !rated.has(subjectKey(subjectOf(unit))))
    const suites = await suitesOf({ ...invocation, args: study.suites }, workspace, session.entries)
    const texts = deskTexts(open, await ratableRuns(suites, session, invocation.warn), {
      reference: reference !== 'never',
    })
    const held = open.filter((unit) => texts.items.has(unitKey(unit)))
    if (held.length === 0) throw nothingLeft(rater.name)
    const pack = randomBytes(8).toString('hex')
    const secret = newSecret()
    const named = { study: study.id, rater: rater.name, pack }
    const rubrics = texts.rubrics.map(shownRubric)
    const items = held.flatMap((unit) => texts.items.get(unitKey(unit)) ?? [])
    const sealed = await sealPack(named, { rubrics, reference }, items, await boxOf(secret, pack))
    const { html } = await deskPage(JSON.stringify(sealed))
    const file = resolve(cwd, textFlag(flags, 'out') ?? `${study.id}-${rater.name}.html`)
    const units = held.map(({ number }) => number)
    await createRatingVault(session.vault).keepPack(pack, { ...named, secret, units })
    replaceFile(file, html)
    print(`wrote ${file}: ${items.length} answers for ${rater.name}, ${Math.ceil(html.length / 1000)} kB`)
    print(`secret: ${secret}`)
    print('Send the file and the secret by different ways. `medmake rate import` takes what comes back.')
    return EXIT.done
  })
}

const RANK: readonly Access[] = ['public', 'gated', 'private']

/** Texts that are not public leave the machine only where the workspace's files say so. @throws ProblemError, exit 5 */
const requireLeave = (study: Study, numbers: readonly number[], { rating_files: allowed }: Config): void => {
  const own = new Set(numbers)
  const benchmarks = new Set(
    study.units.flatMap(({ number, benchmark }) => (own.has(number) ? [benchmark] : [])),
  )
  const first = study.frames.find(
    ({ benchmark, access }) => benchmarks.has(benchmark) && RANK.indexOf(access) > RANK.indexOf(allowed),
  )
  if (first === undefined) return
  throw new ProblemError(
    {
      code: 'ratings/data-agreement',
      message: `${first.benchmark} is ${first.access}: its texts must not leave this machine in a file`,
      where: { file: 'medmake.yaml', field: 'rating_files' },
      remedy: `Use \`medmake rate serve\`, which shows them here; or, where an agreement covers sealed files for raters, write \`rating_files: ${first.access}\` into medmake.yaml.`,
    },
    { exitCode: EXIT.dataAgreement },
  )
}

const whichRater = ({ raters }: Study): ProblemError =>
  new ProblemError({
    code: 'ratings/no-rater',
    message: 'a sealed file is for one rater',
    where: { field: '--rater' },
    remedy: `Name one with --rater: ${raters.map(({ name }) => name).join(', ')}.`,
  })

const nothingLeft = (rater: string): ProblemError =>
  new ProblemError({
    code: 'ratings/nothing-left',
    message: `${rater} has nothing left to rate that a run still holds`,
    where: { field: '--rater' },
    remedy: '`medmake rate status` shows who is how far; `medmake rate plan` draws more.',
  })
