import { EXIT, type ExitCode } from '../../../cache/problems/problem.ts'
import type { Disagreement } from '../../../targets/ratings/disagreements.ts'
import { alignedTable, tabulated, type TextColumns } from '../../../cache/words/tables.ts'
import { deskTexts } from '../../rating-desk/desk-texts.ts'
import type { RatableAnswer } from '../../ratings/rated-runs.ts'
import {
  requireHandedIn,
  studyDisagreements,
  type StudyDisagreements,
} from '../../ratings/study-disagreements.ts'
import { createRatingVault } from '../../ratings/rating-vault.ts'
import { readAllEvents, readConsensus, requirePlan, tellCut } from '../../ratings/study-folder.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { untilStopped } from '../../site/serve/listen.ts'
import { listenOn } from '../common/listen-on.ts'
import { studyRuns } from '../common/built-runs.ts'
import { orphansText } from '../common/rated-answers.ts'
import { boolFlag, requireBeside } from '../flags.ts'
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
 * machine. Scores and texts only once all have handed in: whoever knows the others' scores rates no longer blindly.
 */
export const rateDisagreements = async (invocation: Invocation): Promise<ExitCode> => {
  const { flags, cwd, print, warn } = invocation
  requireBeside(flags, 'serve', ['port'])
  const workspace = await findWorkspace(cwd)
  const study = requirePlan(workspace.root, studyFlag(flags, workspace.root))
  const logs = readAllEvents(workspace.root, [study.id])
  return withSession(invocation, { workspace, readOnly: true, suites: study.suites }, async (session) => {
    const runs = await studyRuns(study, invocation, session)
    const consensus = readConsensus(workspace.root, study.id)
    tellCut([...logs, consensus], warn)
    const listed = studyDisagreements(study, logs, runs, consensus)
    const { found, numberOf, consensusOf, orphans } = listed
    if (orphans.length > 0) warn(orphansText(orphans, runs))
    print(boolFlag(flags, 'json') ? jsonOf(listed) : textOf(listed))
    if (!boolFlag(flags, 'serve')) return EXIT.done
    requireHandedIn(listed, '--serve')
    const texts = deskTexts(
      found.map(({ answer }) => answer),
      runs,
      { reference: true },
    )
    const vault = createRatingVault(session.vault)
    const shown = []
    for (const each of found) {
      const ratings = [...each.ratings, ...consensusOf(each)]
      shown.push({
        disagreement: { ...each, ratings },
        number: numberOf(each),
        item: texts.has(each.answer) ? texts.read(each.answer).item : undefined,
        comments: await Promise.all(ratings.map(({ event }) => vault.comment(event))),
      })
    }
    const { server, link } = await createDisagreementServer(shown)
    print(`${await listenOn(server, flags, { port: DESK_PORT })}${link}`)
    print('The link opens the page once, on this machine. Ctrl-C ends it.')
    await untilStopped(server)
    return EXIT.done
  })
}

type Shown = Disagreement<RatableAnswer>

/** Numbers and reasons alone until all have handed in: a rater may be beside who asks. */
const jsonOf = ({ found, numberOf, consensusOf, waiting }: StudyDisagreements): string =>
  JSON.stringify(
    found.map((each) => {
      const { answer, reasons } = each
      const named = { number: numberOf(each), benchmark: answer.benchmark, why: reasons }
      return waiting.length > 0
        ? named
        : { ...named, ...scoresOf(each), consensus: toldOf(consensusOf(each))[0] ?? null }
    }),
  )

const scoresOf = ({ answer, ratings, safety, referenceWrong, clinicians, jury }: Shown): object => ({
  model: answer.model,
  instance: answer.instance,
  answer: answer.answer,
  jury_score: answer.jury,
  ratings: toldOf(ratings),
  safety,
  reference_wrong: referenceWrong,
  clinicians_apart: clinicians,
  clinicians_minus_jury: jury,
})

const toldOf = (ratings: Shown['ratings']): readonly object[] =>
  ratings.map(({ rater, composite, scores, reason, safety }) => ({
    rater,
    composite,
    scores,
    reason: reason ?? null,
    safety,
  }))

const textOf = ({ found, numberOf, consensusOf, waiting, orphans }: StudyDisagreements): string => {
  if (found.length === 0)
    return `Nothing to talk about${orphans.length === 0 ? '' : ' in the others'}: no safety concern, no wrong reference, no scores half a scale apart.`
  const columns: TextColumns<Shown> = [
    ['number', (each) => String(numberOf(each) || '–')],
    ['benchmark', ({ answer }) => answer.benchmark],
    ['why', ({ reasons }) => reasons.join(', ')],
    ...(waiting.length > 0 ? [] : SCORES),
    ...(waiting.length > 0 || found.every((each) => consensusOf(each).length === 0)
      ? []
      : [['consensus', (each: Shown) => consensusOf(each).map(saidOf).join()] as const]),
  ]
  const wrong = found.filter(({ referenceWrong }) => referenceWrong > 0).map(numberOf)
  return [
    alignedTable(...tabulated(columns, found)),
    ...(wrong.length > 0
      ? [`Candidates for an erratum, as raters hold the reference to be wrong: ${wrong.join(', ')}.`]
      : []),
    ...(waiting.length > 0
      ? [`Scores and models are shown once all have handed in: ${waiting.join(', ')}.`]
      : []),
  ].join('\n\n')
}

const saidOf = ({ composite, reason }: Shown['ratings'][number]): string =>
  composite?.toFixed(1) ?? reason ?? '–'

const SCORES: TextColumns<Shown> = [
  ['model', ({ answer }) => answer.model],
  ['clinicians', ({ ratings }) => ratings.map((rating) => `${rating.rater} ${saidOf(rating)}`).join(', ')],
  ['jury', ({ answer }) => answer.jury?.toFixed(1) ?? '–'],
]

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
