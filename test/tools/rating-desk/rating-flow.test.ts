import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { GivenRating } from '../../../targets/ratings/reasons.ts'
import {
  DeskError,
  type Desk,
  type DeskItem,
  type DeskState,
  type ShownRubric,
} from '../../../tools/rating-desk/desk.ts'
import { draftOf, EMPTY, hasGap, ratingOf } from '../../../tools/rating-desk/page/draft.ts'
import { RatingForm } from '../../../tools/rating-desk/page/rating-form.tsx'
import { RatingFlow } from '../../../tools/rating-desk/page/rating-flow.ts'

const RUBRIC: ShownRubric = {
  criteria: ['tone', 'facts', 'harm'].map((name) => ({ name, title: name, text: '' })),
  scale: { least: 1, most: 5 },
}
const item = (answer: string): DeskItem => ({
  question: '',
  context: null,
  answer,
  reference: null,
  rubric: 0,
})

/** A desk of so many items; `kept` is what was saved. */
const deskOf = (given: string, more: Partial<Desk> = {}) => {
  const kept: GivenRating[] = []
  const desk: Desk = {
    isSealed: false,
    open: () => Promise.reject(new Error('is open')),
    item: (at) => Promise.resolve({ item: item(`answer ${at}`), given: null }),
    save: (rating) => Promise.resolve(void kept.push(rating)),
    handIn: () => Promise.resolve(),
    ...more,
  }
  const state: DeskState = {
    items: given.length,
    practice: 0,
    rubrics: [RUBRIC],
    reference: 'closed',
    given,
    handedIn: false,
  }
  const over: string[] = []
  const flow = new RatingFlow(desk, state, (problem) => over.push(problem))
  return { flow, kept, over }
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 8; turn += 1) await Promise.resolve()
}

const rateAll = (flow: RatingFlow, ...scores: readonly (number | null)[]): void => {
  for (const score of scores) flow.score(score)
}

describe('rating item after item', () => {
  beforeAll(() => {
    vi.stubGlobal('addEventListener', () => undefined)
    vi.stubGlobal('document', { addEventListener: () => undefined, hidden: false, querySelector: () => null })
    vi.stubGlobal('CSS', { escape: (text: string) => text })
  })
  afterAll(() => {
    vi.unstubAllGlobals()
  })

  test('begins with the first that is open, goes on with the next, then with those before it, and ends', async () => {
    const { flow, kept } = deskOf('r--x-')
    flow.begin()
    await settled()
    expect([flow.view.at, flow.view.item?.answer]).toEqual([2, 'answer 2'])
    flow.show(5)
    const visited: number[] = []
    for (let turn = 0; turn < 3; turn += 1) {
      await settled()
      visited.push(flow.view.at)
      rateAll(flow, 3, 4, 5)
      flow.save()
      await settled()
    }
    expect([visited, flow.view.at, flow.view.given]).toEqual([[5, 2, 3], 0, 'rrrxr'])
    expect(kept.map((rating) => [rating.item, rating.scores])).toEqual(
      [5, 2, 3].map((at) => [at, { tone: 3, facts: 4, harm: 5 }]),
    )
  })

  test('marks the first criterion that is open, and takes no score off the scale', async () => {
    const { flow } = deskOf('-')
    flow.begin()
    await settled()
    const marks: number[] = []
    for (const [mark, score] of [
      [1, 4],
      [0, 6],
      [0, 0],
      [0, 1],
      [2, 5],
      [0, 2],
      [1, null],
    ] as const) {
      flow.mark(mark)
      flow.score(score)
      marks.push(flow.view.marked)
    }
    // Once all are rated one after the other is changed.
    expect(marks).toEqual([0, 0, 0, 2, 2, 1, 2])
    expect(flow.view.draft.scores).toEqual({ tone: 2, facts: null, harm: 5 })
    flow.mark(9)
    expect(flow.view.marked).toBe(2)
    flow.mark(-1)
    expect(flow.view.marked).toBe(0)
  })

  test('saves nothing that is half rated, and marks what is missing', async () => {
    const { flow, kept } = deskOf('--')
    flow.begin()
    await settled()
    flow.score(3)
    flow.mark(0)
    flow.save()
    await settled()
    expect([flow.view.at, flow.view.marked, kept.length]).toEqual([1, 1, 0])
    expect(flow.view.problem).toContain('facts is not rated yet')
    flow.setDraft({ ...EMPTY, cannotJudge: true })
    flow.save()
    expect(flow.view.problem).toBe('Choose why it cannot be judged.')
    flow.setDraft({ ...EMPTY, cannotJudge: true, reason: 'seen-before' })
    flow.save()
    await settled()
    expect(kept.map(({ scores, reason }) => [scores, reason])).toEqual([[{}, 'seen-before']])
    expect([flow.view.given, flow.view.at]).toEqual(['x-', 2])
  })

  test('keeps what was begun of an item while another is looked at, until it is saved', async () => {
    const { flow, kept } = deskOf('---')
    flow.begin()
    await settled()
    rateAll(flow, 1, 2, 3)
    flow.save()
    await settled()
    flow.score(5)
    flow.setDraft({ ...flow.view.draft, comment: 'the dose is wrong' })
    flow.show(1)
    await settled()
    expect([flow.view.at, flow.view.draft]).toEqual([1, EMPTY])
    flow.show(2)
    await settled()
    expect([flow.view.draft.scores, flow.view.draft.comment]).toEqual([{ tone: 5 }, 'the dose is wrong'])
    expect([flow.view.saved, kept.length]).toEqual(['Not saved yet', 1])
    flow.mark(1)
    rateAll(flow, 4, 4)
    flow.save()
    await settled()
    expect(kept.map(({ item: at, comment }) => [at, comment])).toEqual([
      [1, ''],
      [2, 'the dose is wrong'],
    ])
    // What the desk keeps of it counts again.
    flow.show(2)
    await settled()
    expect(flow.view.draft).toEqual(EMPTY)
  })

  test('goes back to what was changed and not saved before the end, also where that was while it was being saved', async () => {
    const waiting: (() => void)[] = []
    const { flow, kept } = deskOf('---', {
      save: (rating) => new Promise((done) => waiting.push(() => done(void kept.push(rating)))),
    })
    const saved = async (): Promise<void> => {
      flow.save()
      for (const done of waiting.splice(0)) done()
      await settled()
    }
    flow.begin()
    await settled()
    rateAll(flow, 1, 2, 3)
    flow.save()
    flow.setDraft({ ...flow.view.draft, comment: 'the dose is wrong' })
    await saved()
    rateAll(flow, 4, 4, 4)
    await saved()
    rateAll(flow, 5, 5, 5)
    await saved()
    expect([flow.view.at, flow.view.saved, flow.view.given]).toEqual([1, 'Not saved yet', 'rrr'])
    expect([flow.hasUnsaved, flow.view.draft.comment]).toEqual([true, 'the dose is wrong'])
    await saved()
    expect([flow.view.at, flow.hasUnsaved, kept.at(-1)?.comment]).toEqual([0, false, 'the dose is wrong'])
    // Nobody is held up by one that can't be saved, as its text is lost.
    const visited: number[] = []
    for (const at of [2, 3, 3]) {
      flow.show(at)
      await settled()
      rateAll(flow, 2, 2, 2)
      if (at === 2) continue
      await saved()
      visited.push(flow.view.at)
    }
    expect([visited, flow.hasUnsaved]).toEqual([[2, 0], true])
  })

  test('stays where it is while nothing is saved, and says so; where the desk is over, too', async () => {
    const failing = deskOf('--', { save: () => Promise.reject(new DeskError('The disk is full.')) })
    failing.flow.begin()
    await settled()
    rateAll(failing.flow, 3, 3, 3)
    failing.flow.save()
    await settled()
    const { at, problem, saved, given, busy } = failing.flow.view
    expect([at, problem, saved, given, busy]).toEqual([
      1,
      'Not saved: The disk is full.',
      'Not saved',
      '--',
      false,
    ])
    const over = deskOf('--', { save: () => Promise.reject(new DeskError('Open elsewhere.', 'over')) })
    over.flow.begin()
    await settled()
    rateAll(over.flow, 3, 3, 3)
    over.flow.save()
    await settled()
    // What was given can still be read, and copied.
    expect([over.flow.view.problem, over.flow.view.draft.scores, over.over]).toEqual([
      'Not saved: Open elsewhere.',
      { tone: 3, facts: 3, harm: 3 },
      [],
    ])
    const closed = deskOf('--', { item: () => Promise.reject(new DeskError('Open elsewhere.', 'over')) })
    closed.flow.begin()
    await settled()
    expect(closed.over).toEqual(['Open elsewhere.'])
  })

  test('shows what was asked for last, however late the first one comes', async () => {
    const waiting: (() => void)[] = []
    const { flow } = deskOf('---', {
      item: (at) =>
        at === 1
          ? new Promise((done) => waiting.push(() => done({ item: item('late'), given: null })))
          : Promise.resolve({ item: item(`answer ${at}`), given: null }),
    })
    flow.begin()
    flow.show(2)
    await settled()
    for (const done of waiting) done()
    await settled()
    expect([flow.view.at, flow.view.item?.answer]).toEqual([2, 'answer 2'])
  })

  test('tells which parts were opened, those that were closed again, too', async () => {
    const { flow, kept } = deskOf('--')
    flow.begin()
    await settled()
    flow.setOpen('reference', true)
    flow.setOpen('reference', false)
    expect([...flow.view.open]).toEqual([])
    rateAll(flow, 3, 3, 3)
    flow.save()
    await settled()
    rateAll(flow, 3, 3, 3)
    flow.save()
    await settled()
    expect(kept.map(({ opened }) => opened)).toEqual([['reference'], []])
  })

  test('tells a screen reader the question of a criterion whose name holds a blank, too', () => {
    const rubric: ShownRubric = {
      criteria: [{ name: 'risk of harm', title: 'Risk of harm', text: 'Could it harm?' }],
      scale: { least: 1, most: 2 },
    }
    const { flow } = deskOf('-')
    const html = renderToString(h(RatingForm, { view: flow.view, rubric, flow }))
    const [, id = ''] = /<p class="ask" id="([^"]+)"/.exec(html) ?? []
    expect(id).toMatch(/^\S+$/)
    expect(html.split(`aria-describedby="${id}"`)).toHaveLength(4)
  })
})

test('A draft says why it cannot be judged only where something cannot', () => {
  const draft = { ...EMPTY, scores: { tone: 3, facts: null }, reason: 'other' as const, comment: 'c' }
  expect([
    hasGap(draft),
    hasGap({ ...draft, scores: { tone: 3 } }),
    hasGap({ ...draft, cannotJudge: true }),
  ]).toEqual([true, false, false])
  expect(ratingOf(draft)).toMatchObject({ scores: { tone: 3, facts: null }, reason: 'other' })
  expect(ratingOf({ ...draft, scores: { tone: 3 } })).toMatchObject({ scores: { tone: 3 }, reason: null })
  expect(ratingOf({ ...draft, cannotJudge: true })).toMatchObject({
    scores: {},
    reason: 'other',
    comment: 'c',
  })
  const given = { item: 1, active_ms: 0, opened: [], ...ratingOf({ ...draft, cannotJudge: true }) }
  expect(draftOf(given)).toMatchObject({ cannotJudge: true, reason: 'other' })
})
