import { EXIT, ProblemError, type ExitCode } from '../../../cache/problems/problem.ts'
import type { Claim } from '../../../cache/store.ts'
import { raterQueue, type QueuedUnit } from '../../../targets/ratings/queue.ts'
import { CONSENSUS, type Study } from '../../../targets/ratings/study.ts'
import { createDeskServer } from '../../rating-desk/desk-server.ts'
import { deskPage } from '../../rating-desk/desk-page.ts'
import { deskTexts } from '../../rating-desk/desk-texts.ts'
import { RaterDesk } from '../../rating-desk/rater-desk.ts'
import type { ReferenceShown } from '../../rating-desk/desk.ts'
import type { RatableAnswers } from '../../ratings/rated-runs.ts'
import { claimRater } from '../../ratings/rating-log.ts'
import { consensusQueue, requireHandedIn, studyDisagreements } from '../../ratings/study-disagreements.ts'
import { createRatingVault } from '../../ratings/rating-vault.ts'
import { openLog, readAllEvents, readConsensus, requirePlan, ratersOf } from '../../ratings/study-folder.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { untilStopped } from '../../site/serve/listen.ts'
import { listenOn } from '../common/listen-on.ts'
import { studyRuns } from '../common/built-runs.ts'
import { badFlag, boolFlag, choiceFlag, textFlag } from '../flags.ts'
import type { FlagValues, Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { studyFlag } from './study-flag.ts'

/** Where pages with answers to rate are looked for first. */
export const DESK_PORT = 8100

/** `medmake rate serve`: a desk for each rater on this machine, until Ctrl-C. No flag serves it elsewhere. */
export const rateServe = async (invocation: Invocation): Promise<ExitCode> => {
  const { flags, cwd, print, warn } = invocation
  const workspace = await findWorkspace(cwd)
  const study = requirePlan(workspace.root, studyFlag(flags, workspace.root))
  const named = raterFlag(flags)
  const raters = named === CONSENSUS ? [{ name: named }] : ratersOf(study, named)
  const reference = referenceFlag(flags)
  const use = { workspace, suites: study.suites, stopsItself: true, asksNobody: true }
  return withSession(invocation, use, async (session) => {
    const runs = await studyRuns(study, invocation, session)
    const queueOf = (name: string): readonly QueuedUnit[] =>
      name === CONSENSUS ? toAgreeOn(study, runs, workspace.root) : raterQueue(study, name)
    const queues = raters.map(({ name }) => ({ name, queue: queueOf(name) }))
    const texts = deskTexts(
      queues.flatMap(({ queue }) => queue.map(({ unit }) => unit)),
      runs,
      { reference: reference !== 'never' },
    )
    const vault = createRatingVault(session.vault)
    const claims: Claim[] = []
    try {
      const desks = []
      for (const { name, queue } of queues) {
        claims.push(await claimRater(session, study.id, name))
        const log = openLog(workspace.root, study.id, name)
        const { now } = session.env
        const desk = new RaterDesk({ study, rater: name, queue, texts, log, vault, reference, now })
        await desk.findUncommented()
        desks.push(desk)
      }
      if (desks.every((desk) => desk.state().items === 0)) throw nothingHeld(study)
      const { server, links } = createDeskServer(desks, await deskPage(), (error) => warn(faultText(error)))
      const place = await listenOn(server, flags, { port: DESK_PORT })
      for (const [index, { name }] of raters.entries()) {
        const desk = desks[index]
        if (desk === undefined) continue
        const { items, practice, given } = desk.state()
        const left = given.slice(practice).split('-').length - 1
        print(`${name}: ${place}${links[index] ?? ''} (${left} of ${items - practice} left)`)
        if (desk.gone > 0)
          warn(`${desk.gone} answers of ${name} are in no run any more; they are left out of the desk.`)
      }
      print('Each link opens its desk once, on this machine. Ctrl-C ends it; what was rated is kept.')
      await untilStopped(server)
      return EXIT.done
    } finally {
      for (const claim of claims) await claim.release()
    }
  })
}

/** `--rater`, or `--consensus` in its place. @throws ProblemError `cli/bad-flag` for both */
export const raterFlag = (flags: FlagValues): string | undefined => {
  const rater = textFlag(flags, 'rater')
  if (!boolFlag(flags, 'consensus')) return rater
  if (rater === undefined) return CONSENSUS
  throw badFlag('--consensus', '--consensus is no one rater’s', 'Leave out --rater, or --consensus.')
}

/** @throws ProblemError `ratings/still-rating`, `ratings/nothing-left` */
const toAgreeOn = (study: Study, runs: readonly RatableAnswers[], root: string): readonly QueuedUnit[] => {
  const logs = readAllEvents(root, [study.id])
  const listed = studyDisagreements(study, logs, runs, readConsensus(root, study.id))
  requireHandedIn(listed, '--consensus')
  const queue = consensusQueue(listed)
  if (queue.length > 0) return queue
  throw new ProblemError({
    code: 'ratings/nothing-left',
    message: `there is nothing in the study ${study.id} to talk about`,
    where: { field: '--consensus' },
    remedy: '`medmake rate disagreements` lists what raters disagree on, by numbers of the plan.',
  })
}

export const referenceFlag = (flags: FlagValues): ReferenceShown =>
  choiceFlag(flags, 'reference', ['closed', 'open', 'never'] as const) ?? 'closed'

const nothingHeld = ({ id, suites }: Study): ProblemError =>
  new ProblemError({
    code: 'ratings/nothing-held',
    message: `no run holds an answer of the study ${id} any more`,
    where: { field: '--study' },
    remedy: `What was rated is kept. Draw among the answers that there are now: \`medmake rate plan ${suites.join(' ')} --study ${id}-2 --raters ann,bob\`.`,
  })

/** Numbers and codes alone: a fault may quote what was rated. */
const faultText = (error: unknown): string => {
  if (error instanceof ProblemError)
    return `a rating was not saved: ${error.problems.map(({ code }) => code).join(', ')}`
  const code = (error as NodeJS.ErrnoException | null)?.code
  return `a rating was not saved: ${code ?? (error instanceof Error ? error.name : 'unknown fault')}`
}
