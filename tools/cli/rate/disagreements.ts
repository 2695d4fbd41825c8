import { EXIT, ProblemError, type ExitCode } from '../../../cache/problems/problem.ts'
import { currentRatings } from '../../../targets/ratings/current-ratings.ts'
import { disagreements, type Disagreement } from '../../../targets/ratings/disagreements.ts'
import { commonRubric } from '../../../targets/ratings/rubric/item-rubric.ts'
import { raterProgress } from '../../../targets/ratings/progress.ts'
import { unitKey } from '../../../targets/ratings/unit.ts'
import { alignedTable } from '../../../cache/words/tables.ts'
import { deskTexts } from '../../rating-desk/desk-texts.ts'
import type { RatableAnswer } from '../../ratings/rated-runs.ts'
import { rangeOf } from '../../ratings/format-plan.ts'
import { createRatingVault } from '../../ratings/rating-vault.ts'
import { readAllEvents, requirePlan } from '../../ratings/study-folder.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { untilStopped } from '../../site/serve/listen.ts'
import { listenOn } from '../common/listen-on.ts'
import { studyRuns } from '../common/built-runs.ts'
import { boolFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { DESK_PORT } from './serve.ts'
import { studyFlag } from './study-flag.ts'
import { createServer, type Server } from 'node:http'
import { createOneTimeToken } from '../../site/serve/one-time-token.ts'
import { ALWAYS, isAskedByLoopback, refuse } from '../../site/serve/respond.ts'
import { disagreementPage, type ShownDisagreement } from '../../rating-desk/disagreement-page.tsx'

/**
 * `medmake rate disagreements`: answers to talk about, by number; with `--serve` a page of them with their texts, on this
 * machine. Only once all have handed in: whoever knows the others' scores rates no longer blindly.
 */
export const rateDisagreements = async (invocation: Invocation): Promise<ExitCode> => {
  const { flags, cwd, print } = invocation
  const workspace = await findWorkspace(cwd)
  const study = requirePlan(workspace.root, studyFlag(flags, workspace.root))
  const logs = readAllEvents(workspace.root, [study.id])
  const waiting = study.raters.flatMap(({ name }) => {
    const { left } = raterProgress(name, logs.find(({ rater }) => rater === name)?.events ?? [], study)
    return left > 0 ? [`${name} (${left} left)`] : []
  })
  return withSession(invocation, { workspace, readOnly: true, suites: study.suites }, async (session) => {
    const runs = await studyRuns(study, invocation, session)
    const numbers = new Map(study.units.map((unit) => [unitKey(unit), unit.number]))
    const ratings = logs.flatMap(({ events }) => currentRatings(events))
    const ranges = new Map(runs.map(({ rubric, run }) => [rubric, rangeOf(commonRubric(run.jury))]))
    const found = disagreements(
      ratings,
      runs.flatMap(({ answers }) => answers),
      ({ rubric }) => ranges.get(rubric) ?? NaN,
    )
    const numberOf = ({ answer }: Disagreement): number => numbers.get(unitKey(answer)) ?? 0
    if (boolFlag(flags, 'json')) print(JSON.stringify(found.map((each) => jsonOf(each, numberOf(each)))))
    else print(textOf(found, numberOf))
    if (!boolFlag(flags, 'serve')) return EXIT.done
    if (waiting.length > 0) throw stillRating(waiting)
    const keys = new Set(found.map(({ answer }) => unitKey(answer)))
    const units = study.units.filter((unit) => keys.has(unitKey(unit)))
    const texts = deskTexts(units, runs, { reference: true })
    const vault = createRatingVault(session.vault)
    const shown = []
    for (const each of found)
      shown.push({
        disagreement: each,
        number: numberOf(each),
        item: texts.has(each.answer) ? texts.read(each.answer).item : undefined,
        comments: await Promise.all(each.ratings.map(({ event }) => vault.comment(event))),
      })
    const { server, link } = await createDisagreementServer(shown)
    print(`${await listenOn(server, flags, { port: DESK_PORT })}${link}`)
    print('The link opens the page once, on this machine. Ctrl-C ends it.')
    await untilStopped(server)
    return EXIT.done
  })
}

const jsonOf = (
  { answer, ratings, safety, referenceWrong, clinicians, jury, reasons }: Disagreement<RatableAnswer>,
  number: number,
): object => ({
  number,
  benchmark: answer.benchmark,
  model: answer.model,
  instance: answer.instance,
  answer: answer.answer,
  why: reasons,
  jury_score: answer.jury,
  ratings: ratings.map(({ rater, composite, scores, reason, safety: harm }) => ({
    rater,
    composite,
    scores,
    reason: reason ?? null,
    safety: harm,
  })),
  safety,
  reference_wrong: referenceWrong,
  clinicians_apart: clinicians,
  clinicians_minus_jury: jury,
})

const textOf = (
  found: readonly Disagreement<RatableAnswer>[],
  numberOf: (each: Disagreement) => number,
): string =>
  found.length === 0
    ? 'Nothing to talk about: no safety concern, no wrong reference, no scores half a scale apart.'
    : alignedTable(
        ['number', 'benchmark', 'model', 'why', 'clinicians', 'jury'],
        found.map((each) => [
          String(numberOf(each)),
          each.answer.benchmark,
          each.answer.model,
          each.reasons.join(', '),
          each.ratings
            .map(({ rater, composite, reason }) => `${rater} ${composite?.toFixed(1) ?? reason ?? '–'}`)
            .join(', '),
          each.answer.jury?.toFixed(1) ?? '–',
        ]),
      )

const stillRating = (waiting: readonly string[]): ProblemError =>
  new ProblemError({
    code: 'ratings/still-rating',
    message: `not everybody is done: ${waiting.join(', ')}`,
    where: { field: '--serve' },
    remedy:
      'Wait for them: who has read the others’ scores rates no longer blindly. Without --serve the list has numbers alone.',
  })

const COOKIE = { cookie: 'medmake-disagreements', path: '/' }

/** One page with texts, for who has the link. */
const createDisagreementServer = async (
  shown: readonly ShownDisagreement[],
): Promise<{ readonly server: Server; readonly link: string }> => {
  const { html, policy } = await disagreementPage(shown)
  const token = createOneTimeToken(COOKIE)
  const always = { 'Cache-Control': 'no-store', ...ALWAYS }
  const server = createServer((request, response) => {
    const admission = isAskedByLoopback(request) ? token.admit(request) : ({ kind: 'out' } as const)
    if (admission.kind === 'out')
      refuse(response, 403, 'Open the link that was printed; it opens the page once.', always)
    else if (admission.kind === 'welcome') {
      response.writeHead(303, { Location: '/', 'Set-Cookie': admission.cookie, ...always })
      response.end()
    } else {
      response.writeHead(200, {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
        ...always,
      })
      response.end(html)
    }
  })
  return { server, link: `/${token.query}` }
}
