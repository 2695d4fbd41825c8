import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import type { Access } from '../../../benchmarks/scenario/benchmark.ts'
import { EXIT, ProblemError, type ExitCode } from '../../../cache/problems/problem.ts'
import { rewriteFile } from '../../../cache/files/write.ts'
import {
  currentRatings,
  practiceRatings,
  subjectKey,
  type CurrentRating,
} from '../../../targets/ratings/current-ratings.ts'
import { subjectOf, type RatingEvent } from '../../../targets/ratings/event.ts'
import { queueKey, raterQueue, type QueuedUnit } from '../../../targets/ratings/queue.ts'
import type { Study } from '../../../targets/ratings/study.ts'
import { unitKey } from '../../../targets/ratings/unit.ts'
import { deskPage } from '../../rating-desk/desk-page.ts'
import { deskTexts } from '../../rating-desk/desk-texts.ts'
import { shownRubric, type DeskItem } from '../../rating-desk/desk.ts'
import { sealPack } from '../../rating-desk/pack.ts'
import { boxOf, newSecret } from '../../rating-desk/seal.ts'
import { readLog } from '../../ratings/rating-log.ts'
import type { RatableAnswers } from '../../ratings/rated-runs.ts'
import { createRatingVault, type PackedItem } from '../../ratings/rating-vault.ts'
import { logFile, requirePlan, ratersOf } from '../../ratings/study-folder.ts'
import type { Config } from '../../session/workspace/config.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { studyRuns } from '../common/built-runs.ts'
import { textFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { referenceFlag } from './serve.ts'
import { studyFlag } from './study-flag.ts'

/** `medmake rate pack --rater R`: what the rater has not rated yet, as one sealed file, and its secret on the terminal. */
export const ratePack = async (invocation: Invocation): Promise<ExitCode> => {
  const { flags, cwd, print } = invocation
  const workspace = await findWorkspace(cwd)
  const study = requirePlan(workspace.root, studyFlag(flags, workspace.root))
  const [rater, ...others] = ratersOf(study, textFlag(flags, 'rater'))
  if (rater === undefined || others.length > 0) throw whichRater(study)
  const reference = referenceFlag(flags)
  return withSession(invocation, { workspace, suites: study.suites }, async (session) => {
    const { events } = readLog(logFile(workspace.root, study.id, rater.name))
    const runs = await studyRuns(study, invocation, session)
    const queue = raterQueue(study, rater.name)
    const open = openItems(queue, events)
    requireLeave(queue, runs, workspace.config)
    const texts = deskTexts(
      open.map(({ unit }) => unit),
      runs,
      { reference: reference !== 'never' },
    )
    const held = open.filter(({ unit }) => texts.has(unit))
    if (held.every(({ isPractice }) => isPractice)) throw nothingLeft(rater.name)
    const items: PackedItem[] = []
    const shown = function* (): Iterable<DeskItem> {
      for (const { unit, number, isPractice } of held) {
        const { item, graded } = texts.read(unit)
        const points = graded?.map((each) => each.points) ?? []
        items.push({ number, isPractice, rubric: typeof item.rubric === 'number' ? item.rubric : { points } })
        yield item
      }
    }
    const pack = randomBytes(8).toString('hex')
    const secret = newSecret()
    const named = { study: study.id, rater: rater.name, pack }
    const rubrics = texts.rubrics.map(shownRubric)
    const practice = held.filter(({ isPractice }) => isPractice).length
    const head = { rubrics, reference, practice }
    const sealed = await sealPack(named, head, shown(), await boxOf(secret, pack))
    const { html } = await deskPage(JSON.stringify(sealed))
    const file = resolve(cwd, textFlag(flags, 'out') ?? `${study.id}-${rater.name}.html`)
    await createRatingVault(session.vault).keepPack(pack, { ...named, secret, rubrics, items })
    rewriteFile(file, html, 0o600)
    const more = practice === 0 ? '' : ` and ${practice} to practise on`
    print(
      `wrote ${file}: ${items.length - practice} answers${more} for ${rater.name}, ${Math.ceil(html.length / 1000)} kB`,
    )
    print(`secret: ${secret}`)
    print('Send the file and the secret by different ways. `medmake rate import` takes what comes back.')
    return EXIT.done
  })
}

/** What the rater has not said anything of. */
const openItems = (queue: readonly QueuedUnit[], events: readonly RatingEvent[]): readonly QueuedUnit[] => {
  const keysOf = (ratings: readonly CurrentRating[], isPractice: boolean): readonly string[] =>
    ratings.map(({ subject }) => queueKey(subjectKey(subject), isPractice))
  const rated = new Set([...keysOf(currentRatings(events), false), ...keysOf(practiceRatings(events), true)])
  return queue.filter(({ unit, isPractice }) => !rated.has(queueKey(subjectKey(subjectOf(unit)), isPractice)))
}

const RANK: readonly Access[] = ['public', 'gated', 'private']

/**
 * Texts that are not public leave the machine only where the workspace's files say so: by what their benchmark is now, and
 * not by what the plan says of it. @throws ProblemError, exit 5
 */
const requireLeave = (
  items: readonly QueuedUnit[],
  runs: readonly RatableAnswers[],
  { rating_files: allowed }: Config,
): void => {
  const wanted = new Set(items.map(({ unit }) => unitKey(unit)))
  const first = runs
    .filter(({ answers }) => answers.some((answer) => wanted.has(unitKey(answer))))
    .map(({ benchmark, run }) => ({ benchmark, access: run.target.spec.benchmark.access }))
    .find(({ access }) => RANK.indexOf(access) > RANK.indexOf(allowed))
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
