import { describe, expect, test } from 'vitest'
import { separatedTable } from '../../../benchmarks/sources/csv/separated-table.ts'
import type { ScoreScale } from '../../../benchmarks/scenario/benchmark.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import { currentRatings } from '../../../targets/ratings/current-ratings.ts'
import { addImported, type IncomingEvent } from '../../../tools/ratings/imported-ratings.ts'
import { exportedTable } from '../../../tools/ratings/exported-table.ts'
import { importTable } from '../../../tools/ratings/import-table.ts'
import { RatingLog } from '../../../tools/ratings/rating-log.ts'
import { logFile } from '../../../tools/ratings/study-folder.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const HEAD = 'rater,instance_id,benchmark,model,tone,facts,jury_tone,jury_facts'

/** Of no run; keys are made for what is not public. */
const rig = () => {
  const root = temporaryFolder()
  const comments = new Map<string, string>()
  const place = {
    root,
    vault: {
      digestKey: (access: string) => Promise.resolve(access === 'public' ? undefined : 'ab'.repeat(32)),
      formerKey: () => Promise.resolve(undefined),
      comment: (event: string) => Promise.resolve(comments.get(event)),
      keepComment: (event: string, text: string) => Promise.resolve(void comments.set(event, text)),
      dropComment: (event: string) => Promise.resolve(void comments.delete(event)),
      pack: () => Promise.resolve(undefined),
      keepPack: () => Promise.resolve(),
    },
    claim: () => Promise.resolve({ release: () => Promise.resolve() } as never),
  }
  const take = (...rows: readonly string[]) => takeAs(HEAD, ...rows)
  const takeAs = (head: string, ...rows: readonly string[]) => takeOn(undefined, head, ...rows)
  const takeOn = (scale: ScoreScale | undefined, head: string, ...rows: readonly string[]) =>
    importTable(separatedTable([head, ...rows, ''].join('\n'), 'r.csv', ','), {
      ...place,
      study: 'ward',
      names: new Map(),
      runs: [],
      ...(scale && { scale }),
      at: '2026-01-02T03:04:05Z',
    })
  return {
    place,
    comments,
    take,
    takeAs,
    takeOn,
    events: (rater: string) => new RatingLog(logFile(root, 'ward', rater)).events,
  }
}

const counts = async (done: ReturnType<ReturnType<typeof rig>['take']>) =>
  (await done).map(({ rater, added, known, unlinked, skipped }) => [rater, added, known, unlinked, skipped])

const ROWS = [
  'bob,i1,notes,m/a,5,5,3,2',
  'ann,i1,notes,m/a,4,5,3,2',
  'ann,i2,notes,m/a,1,2,3,2',
  'bob,i3,notes,m/a,,,3,2',
]

describe('a table of ratings', () => {
  test('of a rater whose name differs from another’s in capitals alone is refused: some disks make one file of both', async () => {
    const { take } = rig()
    const alike = { code: 'cli/bad-flag', message: 'rater "Ann" is like ann but for capitals' }
    expect(await problemOf(() => take(...ROWS, 'Ann,i1,notes,m/a,4,5,3,2'))).toMatchObject(alike)
    expect(await counts(take(...ROWS))).toHaveLength(2)
    expect(await problemOf(() => take('Ann,i4,notes,m/a,4,5,3,2'))).toMatchObject(alike)
    expect(await counts(take('ann,i4,notes,m/a,4,5,3,2'))).toEqual([['ann', 1, 0, 1, 0]])
  })

  test('without any row is told, and so is a criterion that is written otherwise than the jury’s', async () => {
    const { take, takeAs } = rig()
    expect(await problemOf(() => take())).toMatchObject({ code: 'ratings/no-rows' })
    const head = HEAD.replace(',tone', ',Tone ')
    expect(await problemOf(() => takeAs(head, 'ann,i1,notes,m/a,4,5,3,2'))).toMatchObject({
      code: 'targets/other-spelling',
      where: { file: 'r.csv', line: 1 },
    })
  })

  test('of which --map names a column that is not there, or a name that another one has, is refused', async () => {
    const { place, events } = rig()
    const take = (head: string, theirs: string) =>
      importTable(separatedTable(`${head}\nann,i1,notes,m/a,4,5,3,2,eve\n`, 'r.csv', ','), {
        ...place,
        study: 'ward',
        names: new Map([[theirs, 'rater']]),
        runs: [],
        at: '2026-01-02T03:04:05Z',
      })
    const problem = { code: 'cli/bad-flag', where: { file: 'r.csv', line: 1 } }
    expect(await problemOf(() => take(`${HEAD},Reviewer`, 'Reviewer'))).toMatchObject(problem)
    const other = `${HEAD.replace('rater', 'Reviewer')},by`
    expect(await problemOf(() => take(other, 'Reviewr'))).toMatchObject(problem)
    expect(events('ann')).toEqual([])
    await take(other, 'Reviewer')
    expect(events('ann')).toHaveLength(1)
  })

  test('that an export made keeps when each was given: what was rated again since counts', async () => {
    const { takeAs, events } = rig()
    const row = (instance: string, at: string): string =>
      `ann,${instance},notes,m/a,4,5,3,2,main,${at},${digestOf(instance)},${digestOf('rubric')}`
    await takeAs(
      `${HEAD},study,at,answer,rubric`,
      row('i1', '2025-12-24T08:00:00Z'),
      row('i2', '2030-01-01T00:00:00Z'),
      row('i3', 'today'),
      row('i4', '2025-13-41T08:00:00Z'),
    )
    expect(events('ann').map(({ at }) => at)).toEqual([
      '2025-12-24T08:00:00Z',
      // Of a clock that is ahead, or none.
      ...Array.from({ length: 3 }, () => '2026-01-02T03:04:05Z'),
    ])
  })

  test('that an export made of answers that are gone is taken in, each by itself, and says how many no jury scored', async () => {
    const { takeAs, events } = rig()
    const row = (answer: string, jury: string): string =>
      `ann,i1,notes,,4,5,${jury},main,2025-12-24T08:00:00Z,${digestOf(answer)},${digestOf('rubric')}`
    const done = await takeAs(`${HEAD},study,at,answer,rubric`, row('a', ','), row('b', '3,2'))
    expect(done).toMatchObject([{ added: 2, unlinked: 2, withoutJury: 1 }])
    expect(events('ann').map(({ subject }) => subject?.model)).toEqual(
      ['a', 'b'].map((answer) => `answer ${digestOf(answer).slice(0, 8)}`),
    )
    // What no export says has to name the model.
    expect(await problemOf(() => takeAs(HEAD, 'ann,i1,notes,,4,5,3,2'))).toMatchObject({
      code: 'targets/empty-rating',
    })
  })

  test('is taken in once by rater, and says what it knew, what no run holds, and rows without a score', async () => {
    const { take, events } = rig()
    expect(await counts(take(...ROWS))).toEqual([
      ['ann', 2, 0, 2, 1],
      ['bob', 1, 0, 1, 0],
    ])
    expect(await counts(take(...ROWS, 'ann,i4,notes,m/a,3,3,3,3'))).toEqual([
      ['ann', 1, 2, 1, 1],
      ['bob', 0, 1, 0, 0],
    ])
    expect(events('ann').map(({ content, at, kind }) => [kind, at, content?.scores, content?.jury])).toEqual([
      ['rated', '2026-01-02T03:04:05Z', { tone: 4, facts: 5 }, { tone: 3, facts: 2 }],
      ['rated', '2026-01-02T03:04:05Z', { tone: 1, facts: 2 }, { tone: 3, facts: 2 }],
      ['rated', '2026-01-02T03:04:05Z', { tone: 3, facts: 3 }, { tone: 3, facts: 3 }],
    ])
    const [ann, eve] = await take('ann,i5,notes,m/a,4,5,3,2', 'eve,i1,notes,m/a,4,5,3,2')
    expect([ann?.isNew, eve?.isNew]).toEqual([undefined, true])
  })

  test('that comes back as it was before it was changed says how much of it no longer counts', async () => {
    const { take, events } = rig()
    const counted = async (score: number) => {
      const [done] = await take(ROWS[1] ?? '', `ann,i2,notes,m/a,${score},2,3,2`)
      return `${done?.added} ${done?.known} ${done?.passed}`
    }
    expect([await counted(1), await counted(3), await counted(1)]).toEqual(['2 0 0', '1 1 0', '0 2 1'])
    expect(currentRatings(events('ann'))[1]?.content.scores['tone']).toBe(3)
  })

  test('of which a score is off the scale, or no whole number is not taken in at all', async () => {
    for (const scores of ['6,3', '3,0', '2.5,3']) {
      const { take, events } = rig()
      const problem = await problemOf(() => take(ROWS[1] ?? '', `ann,i9,notes,m/a,${scores},3,2`))
      expect([scores, problem?.code, events('ann')]).toEqual([scores, 'ratings/bad-score', []])
    }
  })

  test('of another scale is mapped to the rubric’s own, and what is off the one it names is not taken in at all', async () => {
    const percent = { least: 0, most: 100 }
    const { takeOn, events } = rig()
    const [done] = await takeOn(percent, HEAD, 'ann,i1,notes,m/a,75,0,3,2', 'ann,i2,notes,m/a,62.5,100,3,2.5')
    expect(done).toMatchObject({ added: 2, mappedTo: '1-5' })
    expect(events('ann').map(({ content }) => [content?.scores, content?.jury])).toEqual([
      [
        { tone: 4, facts: 1 },
        { tone: 3, facts: 2 },
      ],
      [
        { tone: 3.5, facts: 5 },
        { tone: 3, facts: 2.5 },
      ],
    ])
    for (const [cells, field, message] of [
      ['5,101,3,2', 'facts', '101 is no score from 0 to 100'],
      ['-1,5,3,2', 'tone', '-1 is no score from 0 to 100'],
      ['5,5,3,80', 'jury_facts', '80 is no score from 1 to 5'],
    ] as const) {
      const { takeOn: take, events: none } = rig()
      const problem = await problemOf(() =>
        take(percent, HEAD, 'ann,i1,notes,m/a,75,0,3,2', `ann,i9,notes,m/a,${cells}`),
      )
      expect(problem).toMatchObject({ code: 'ratings/bad-score', message, where: { line: 3, field } })
      expect(none('ann')).toEqual([])
    }
    expect(await problemOf(() => rig().take('ann,i1,notes,m/a,4.5,5,3,2'))).toMatchObject({
      remedy: expect.stringContaining('--scale 0-100') as string,
    })
  })

  test('that an export made brings back what could not be judged, why, and what was feared', async () => {
    const { takeAs, events } = rig()
    const row = (instance: string, scores: string, rest: string): string =>
      `ann,${instance},notes,m/a,${scores},3,2,${digestOf(instance)},${digestOf('rubric')},${rest}`
    const take = () =>
      takeAs(
        `${HEAD},answer,rubric,reason,safety`,
        row('i1', '4,5', ',yes'),
        row('i2', ',', 'other,'),
        row('i3', ',2', 'context-missing,'),
        row('i4', ',', 'no such reason,'),
      )
    expect((await counts(take()))[0]).toEqual(['ann', 3, 0, 3, 1])
    expect((await counts(take()))[0]).toEqual(['ann', 0, 3, 0, 1])
    expect(
      events('ann').map(({ kind, content }) => [kind, content?.scores, content?.reason, content?.safety]),
    ).toEqual([
      ['rated', { tone: 4, facts: 5 }, undefined, true],
      ['cannot-judge', {}, 'other', undefined],
      ['rated', { facts: 2 }, 'context-missing', undefined],
    ])
  })

  test('that an export made brings back what was changed back, and what was feared later on, and no older one again', async () => {
    const { takeAs, events } = rig()
    const row = (tone: number, at: string, safety = ''): string =>
      `ann,i1,notes,m/a,${tone},5,3,2,2026-01-01T0${at}:00:00Z,${digestOf('i1')},${digestOf('rubric')},${safety}`
    const take = (of: Parameters<typeof row>) => takeAs(`${HEAD},at,answer,rubric,safety`, row(...of))
    const given: readonly Parameters<typeof row>[] = [
      [4, '1'],
      [2, '2'],
      [4, '3'],
      [4, '5', 'yes'],
      [2, '4'],
      [4, '3'],
    ]
    for (const of of given) await take(of)
    expect(events('ann')).toHaveLength(5)
    expect(currentRatings(events('ann'))).toMatchObject([
      { at: '2026-01-01T05:00:00Z', content: { scores: { tone: 4 }, safety: true } },
    ])
  })

  test('that an export made may lack the jury’s scores of an answer that no run held; another table may not', async () => {
    const { takeAs, take, events } = rig()
    const row = (instance: string, jury: string): string =>
      `ann,${instance},notes,m/a,4,5,${jury},${digestOf(instance)},${digestOf('rubric')}`
    await takeAs(`${HEAD},answer,rubric`, row('i1', '3,2'), row('i2', ','))
    expect(events('ann').map(({ content }) => content?.jury)).toEqual([{ tone: 3, facts: 2 }, undefined])
    const partly = () => takeAs(`${HEAD},answer,rubric`, row('i3', '3,'))
    for (const taking of [partly, () => take('ann,i1,notes,m/a,4,5,,')])
      expect(await problemOf(taking)).toMatchObject({ code: 'targets/empty-rating' })
  })

  test('that an export made of answers that no run held is known again', async () => {
    const { take, takeAs, events } = rig()
    await take('ann,i1,notes,m/a,4,5,3,2')
    const [{ subject, at } = { at: '' }] = events('ann')
    const row = `ann,${subject?.instance},notes,m/a,4,5,3,2,ward,${at},,,yes`
    const back = (of: string) => counts(takeAs(`${HEAD},study,at,answer,rubric,safety`, of))
    expect(await back(row.replace('yes', ''))).toEqual([['ann', 0, 1, 0, 0]])
    await back(row)
    expect(currentRatings(events('ann'))).toMatchObject([{ subject, at, content: { safety: true } }])
  })

  test('that an export made brings back order, time, what was opened and the comment, to the vault alone', async () => {
    const { takeAs, events, comments } = rig()
    const row = (instance: string, more: string): string =>
      `ann,${instance},notes,m/a,4,5,3,2,${digestOf(instance)},${digestOf('rubric')},${more}`
    await takeAs(
      `${HEAD},answer,rubric,order,active_ms,opened,comment`,
      row('i1', `7,900,context reference,"'=harm, 5 mg"`),
      row('i2', '8,0,,'),
      row('i3', ',,,'),
    )
    expect(events('ann').map(({ order, content }) => [order, content?.active_ms, content?.opened])).toEqual([
      [7, 900, ['context', 'reference']],
      [8, 0, []],
      [undefined, undefined, undefined],
    ])
    expect([...comments]).toEqual([[events('ann')[0]?.id, '=harm, 5 mg']])
  })

  test('of JSON lines that an export made is read as its table is', () => {
    const cells = new Map([
      ['answer', 'a'],
      ['scores', '{"tone":4}'],
      ['jury', '{"tone":3.5,"facts":2}'],
    ])
    const table = { file: 'r.jsonl', columns: [...cells.keys()], rows: [{ cells, row: 1 }] }
    const { columns, rows } = exportedTable(table)
    expect(columns.slice(3)).toEqual(['tone', 'jury_tone', 'jury_facts'])
    expect(columns.slice(3).map((name) => rows[0]?.cells.get(name))).toEqual(['4', '3.5', '2'])
    const other = { ...table, columns: ['scores'] }
    expect(exportedTable(other)).toBe(other)
  })

  test('of which a row has one score of two is not taken in at all', async () => {
    const { take, events } = rig()
    expect(await problemOf(() => take(ROWS[1] ?? '', 'ann,i9,notes,m/a,,3,3,2'))).toMatchObject({
      where: { file: 'r.csv', line: 3, field: 'tone' },
    })
    expect(events('ann')).toEqual([])
  })

  test('keeps no name of an instance that may be a patient’s', async () => {
    const { take, events } = rig()
    await take('ann,i1,nobody_knows_it,m/a,4,5,3,2', 'ann,i1,pubmed_qa,m/a,4,5,3,2')
    const [unknown, open] = events('ann').map(({ subject }) => subject?.instance)
    expect(open).toBe(digestOf('i1'))
    expect(unknown).toMatch(/^[0-9a-f]{64}$/)
    expect(unknown).not.toBe(open)
  })
})

const incoming = (origin: string, answer: string | null): IncomingEvent => ({
  comment: `${origin} of a patient`,
  event: {
    study: 'ward',
    rater: 'ann',
    kind: 'rated',
    at: '2026-01-02T03:04:05Z',
    origin,
    subject: { benchmark: 'notes', instance: digestOf('i'), answer, rubric: answer },
    content: { nonce: '0'.repeat(32), scores: { tone: 3 }, comment: true },
  },
})

const ANN = { study: 'ward', rater: 'ann' }

test('An event that comes twice in one file is taken in once, its comment kept apart', async () => {
  const { place, comments, events } = rig()
  const all = [incoming('p:1', null), incoming('p:1', null), incoming('p:2', digestOf('a'))]
  const done = await addImported(ANN, all, place)
  expect(done).toMatchObject({ added: 2, known: 1, unlinked: 1 })
  expect(events('ann').map(({ origin }) => origin)).toEqual(['p:1', 'p:2'])
  expect([...comments.values()]).toEqual(['p:1 of a patient', 'p:2 of a patient'])
})

test('What an export says of the very log that it comes back to is there already: what was handed in stays so', async () => {
  const { place, events } = rig()
  await addImported(ANN, [incoming('p:1', digestOf('a'))], place)
  const { event, comment } = incoming('table:1', digestOf('a'))
  const feared = {
    ...event,
    origin: 'table:2',
    content: { nonce: '0'.repeat(16), scores: {}, ...event.content, safety: true },
  }
  const rows = [
    { event, comment },
    { event: feared, comment },
  ]
  expect(await addImported(ANN, rows, place)).toMatchObject({ added: 1, known: 1 })
  expect(events('ann').map(({ origin }) => origin)).toEqual(['p:1', 'table:2'])
  // Of an answer that is gone, or rated by another rubric now, an import knows what the export names, and no more.
  const gone = { ...incoming('table:3', null), exported: { answer: digestOf('a'), rubric: digestOf('a') } }
  const other = { ...incoming('table:4', null), exported: { answer: digestOf('b'), rubric: digestOf('b') } }
  const safe = { ...gone.event, content: feared.content }
  expect(await addImported(ANN, [{ ...gone, event: safe }, other], place)).toMatchObject({
    added: 1,
    known: 1,
  })
})

test('What was kept without an answer counts no more once a run holds it, its comment neither', async () => {
  const { place, comments, events } = rig()
  await addImported(ANN, [incoming('p:1', null), incoming('p:2', null)], place)
  const linked = [{ ...incoming('p:3', digestOf('a')), unlinked: 'p:1' }]
  for (const added of [1, 0]) {
    expect(await addImported(ANN, linked, place)).toMatchObject({ added })
    expect(currentRatings(events('ann')).map(({ subject }) => subject.answer)).toEqual([null, digestOf('a')])
    expect([...comments.values()]).toEqual(['p:2 of a patient', 'p:3 of a patient'])
    expect(events('ann')).toHaveLength(4)
  }
})

test('An import that ends between two comments keeps none that no log names, and is made whole by the next', async () => {
  const { place, comments, events } = rig()
  const vault = {
    ...place.vault,
    keepComment: async (event: string, text: string): Promise<void> => {
      if (comments.size === 1) throw new Error('killed')
      await place.vault.keepComment(event, text)
    },
  }
  const all = [incoming('p:1', null), incoming('p:2', digestOf('a'))]
  await expect(addImported(ANN, all, { ...place, vault })).rejects.toThrow('killed')
  expect([...comments.keys()]).toEqual(
    events('ann')
      .map(({ id }) => id)
      .slice(0, 1),
  )
  expect(await addImported(ANN, all, place)).toMatchObject({ added: 0, known: 2 })
  expect(events('ann').map(({ id }) => comments.get(id))).toEqual(['p:1 of a patient', 'p:2 of a patient'])
})
