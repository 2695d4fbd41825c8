import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { LostValueError } from '../../../cache/problems/lost-value.ts'
import type { RatingRubric } from '../../../targets/ratings/rubric/rating-rubric.ts'
import { raterQueue } from '../../../targets/ratings/queue.ts'
import type { GivenRating } from '../../../targets/ratings/reasons.ts'
import type { Study } from '../../../targets/ratings/study.ts'
import type { UnitText } from '../../../tools/rating-desk/desk-texts.ts'
import { createDeskServer } from '../../../tools/rating-desk/desk-server.ts'
import { RaterDesk } from '../../../tools/rating-desk/rater-desk.ts'
import { RatingLog } from '../../../tools/ratings/rating-log.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const name = (at: number): string => String(at).padStart(64, '0')
const subject = (at: number) => ({
  benchmark: 'notes',
  instance: name(at),
  answer: name(at),
  rubric: name(0),
})

/** An answer to practise on, which is asked for in earnest, too; then three. */
const STUDY: Study = {
  version: 1,
  id: 'ward',
  seed: 's',
  suites: [],
  overlap: 0,
  cuts: [],
  frames: [],
  practice: [subject(2)],
  units: [1, 2, 3, 4].map((number) => ({ ...subject(number), number, drawn: [] })),
  raters: [{ name: 'ann', units: [2, 1, 3] }],
}

const RUBRIC: RatingRubric = {
  digest: name(0) as RatingRubric['digest'],
  criteria: ['tone', 'facts'].map((each) => ({ name: each, title: each, text: '' })),
  scale: { least: 1, most: 5 },
}

const LOST = { table: 'completions', id: 'x', what: 'an answer' } as const

const given = (item: number, more: Partial<GivenRating> = {}): GivenRating => ({
  item,
  scores: { tone: 3, facts: 4 },
  reason: null,
  safety: false,
  comment: '',
  active_ms: 1000,
  opened: [],
  ...more,
})

interface Rig {
  readonly lost?: readonly number[]
  readonly gone?: readonly number[]
  readonly study?: Study
  readonly graded?: readonly number[]
}

const rig = ({ lost = [], gone = [], study = STUDY, graded }: Rig = {}) => {
  const file = join(temporaryFolder(), 'ann.jsonl')
  const comments = new Map<string, string>()
  const keep = vi.fn((event: string, text: string) => Promise.resolve(void comments.set(event, text)))
  const open = (own = study): RaterDesk =>
    new RaterDesk({
      study: own,
      rater: 'ann',
      queue: raterQueue(own, 'ann'),
      log: new RatingLog(file),
      reference: 'closed',
      now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 678),
      vault: {
        comment: (event) => Promise.resolve(comments.get(event)),
        keepComment: keep,
      },
      texts: {
        rubrics: [RUBRIC],
        has: ({ answer }) => !gone.some((at) => answer === name(at)),
        read: ({ answer }): UnitText => {
          if (lost.some((at) => answer === name(at))) throw new LostValueError(LOST)
          const item = {
            question: 'q',
            context: null,
            answer: Number(answer).toString(),
            reference: null,
            rubric: 0,
          }
          return graded === undefined
            ? { item, rubric: RUBRIC }
            : {
                item,
                rubric: {
                  ...RUBRIC,
                  criteria: graded.map((_, at) => ({ name: `item-${at + 1}`, title: '', text: '' })),
                  scale: { least: 0, most: 1 },
                },
                graded: graded.map((points) => ({ points, criterion: '' })) as unknown as NonNullable<
                  UnitText['graded']
                >,
              }
        },
      },
    })
  return { open, comments, keep, events: () => new RatingLog(file).events }
}

describe('a rater’s desk', () => {
  test('asks practice first, then what the plan gives in its order, and leaves out what no run holds', async () => {
    const desk = rig().open()
    expect(desk.state()).toMatchObject({ items: 4, practice: 1, given: '----', handedIn: false })
    const answers = await Promise.all([1, 2, 3, 4].map(async (at) => (await desk.item(at)).item.answer))
    expect(answers).toEqual(['2', '2', '1', '3'])
    await expect(desk.item(0)).rejects.toThrow('There is no item 0.')
    await expect(desk.item(5)).rejects.toThrow('There is no item 5.')
    const less = rig({ gone: [1] }).open()
    expect([less.gone, less.state().items]).toEqual([1, 3])
  })

  test('keeps what was rated, could not be judged or is unsafe, and shows it again when it is opened anew', async () => {
    const { open, comments, events } = rig()
    const desk = open()
    await desk.save(
      given(2, {
        scores: { tone: 2, facts: null },
        reason: 'context-missing',
        safety: true,
        comment: 'warfarin',
      }),
    )
    await desk.save(given(3, { scores: {}, reason: 'seen-before', comment: '  ' }))
    expect(desk.state().given).toBe('-rx-')
    expect(
      events().map(({ kind, at, order, content }) => [
        kind,
        at,
        order,
        content?.scores,
        content?.reason,
        content?.safety,
        content?.comment,
      ]),
    ).toEqual([
      ['rated', '2026-01-02T03:04:05Z', 1, { tone: 2 }, 'context-missing', true, true],
      ['cannot-judge', '2026-01-02T03:04:05Z', 2, {}, 'seen-before', undefined, undefined],
    ])
    expect([...comments.values()]).toEqual(['warfarin'])
    const again = open()
    expect(again.state().given).toBe('-rx-')
    expect((await again.item(2)).given).toMatchObject({
      scores: { tone: 2, facts: null },
      reason: 'context-missing',
      safety: true,
      comment: 'warfarin',
    })
    // Nothing was judged: no criterion is a gap.
    expect((await again.item(3)).given).toMatchObject({
      scores: {},
      reason: 'seen-before',
      safety: false,
      comment: '',
    })
    expect((await again.item(4)).given).toBeNull()
    await expect(again.save(given(4, { scores: { tone: 6, facts: 1 } }))).rejects.toThrow('from 1 to 5')
  })

  test('writes what it keeps already no second time: neither looked back at, nor sent again unheard', async () => {
    const { open, events } = rig()
    const desk = open()
    const said = given(2, { scores: { tone: 2, facts: null }, reason: 'context-missing', comment: 'dose' })
    await Promise.all([desk.save(said), desk.save(said)])
    await open().save({ ...said, scores: { facts: null, tone: 2 }, active_ms: 7 })
    await desk.save(given(3, { scores: {}, reason: 'other', comment: 'x' }))
    await desk.save(given(3, { scores: {}, reason: 'other', comment: 'x', opened: ['reference'] }))
    expect(events().map(({ content }) => content?.active_ms)).toEqual([1000, 1000])
    for (const change of [{ comment: 'the dose' }, { safety: true }, { scores: { tone: 1, facts: null } }])
      await open().save({ ...said, ...change })
    expect(events().length).toBe(5)
    await open().save(given(4))
    await open().handIn('no')
    await open().handIn('no')
    expect(events().filter(({ kind }) => kind === 'handed-in').length).toBe(1)
  })

  test('keeps practice apart from the same answer in earnest', async () => {
    const { open, events } = rig()
    await open().save(given(1))
    expect(open().state().given).toBe('r---')
    expect(events().map(({ practice, order }) => [practice, order])).toEqual([[true, 1]])
    await open().save(given(2, { scores: { tone: 5, facts: 5 } }))
    const desk = open()
    expect(desk.state().given).toBe('rr--')
    expect([(await desk.item(1)).given?.scores, (await desk.item(2)).given?.scores]).toEqual([
      { tone: 3, facts: 4 },
      { tone: 5, facts: 5 },
    ])
  })

  test('is handed in once all that counts is given, and takes nothing more until the plan asks for more', async () => {
    const { open } = rig()
    const desk = open()
    for (const at of [2, 3]) await desk.save(given(at))
    await expect(desk.handIn('no')).rejects.toThrow('Some items are still open.')
    await desk.save(given(4))
    expect(desk.state().handedIn).toBe(false)
    await desk.handIn('some')
    expect([desk.state().handedIn, open().state().handedIn]).toEqual([true, true])
    await expect(open().save(given(2))).rejects.toThrow('nothing can be changed any more')
  })

  test('opens again where the plan asks for more after it was handed in', async () => {
    const { open } = rig()
    for (const at of [2, 3, 4]) await open().save(given(at))
    await open().handIn('no')
    const more = { ...STUDY, raters: [{ name: 'ann', units: [2, 1, 3, 4] }] }
    expect(open(more).state()).toMatchObject({ items: 5, given: '-rrr-', handedIn: false })
    await open(more).save(given(5))
  })

  test('lets nobody wait for an answer that the store lost', async () => {
    const { open } = rig({ lost: [3] })
    const desk = open()
    for (const at of [2, 3]) await desk.save(given(at))
    await expect(desk.item(4)).rejects.toThrow('can’t be read any more')
    await desk.handIn('no')
    expect(desk.state().handedIn).toBe(true)
  })

  test('gives an instance’s own rubric the points that are met, of those that were judged', async () => {
    const { open, events } = rig({ graded: [5, 3, -4] })
    const rate = async (item: number, scores: GivenRating['scores'], reason: GivenRating['reason'] = null) =>
      open().save(given(item, { scores, reason }))
    await rate(2, { 'item-1': 1, 'item-2': 0, 'item-3': 1 })
    await rate(3, { 'item-1': null, 'item-2': 1, 'item-3': 0 }, 'context-missing')
    await rate(4, { 'item-1': null, 'item-2': null, 'item-3': 0 }, 'context-missing')
    // (5 − 4) / 8, then 3 / 3; of the last no point above 0 was judged.
    expect(events().map(({ content }) => content?.composite)).toEqual([1 / 8, 1, null])
  })

  test('keeps a comment behind its event, and takes the same rating, sent again, for what that event lacks', async () => {
    const { open, comments, events, keep } = rig()
    const said = given(2, { comment: 'of a patient' })
    keep.mockImplementation(() => {
      throw new Error(`killed behind event ${events().length}`)
    })
    const desk = open()
    for (const own of [() => desk, () => desk, open])
      await expect(own().save(said)).rejects.toThrow('killed behind event 1')
    expect([comments.size, events().length, desk.state().given]).toEqual([0, 1, '----'])
    keep.mockRestore()
    await open().save(said)
    expect([...comments]).toEqual([[events()[0]?.id, 'of a patient']])
    // With other scores it is another event.
    await open().save({ ...said, scores: { tone: 1, facts: 1 } })
    expect([comments.size, events().length]).toEqual([2, 2])
  })

  test('holds an item open, and takes no handing in, until its comment is kept or taken back', async () => {
    const { open, comments, events, keep } = rig()
    const first = open()
    for (const at of [1, 3, 4]) await first.save(given(at))
    keep.mockRejectedValue(new Error('the disk is full'))
    const said = given(2, { comment: 'of a patient' })
    await expect(first.save(said)).rejects.toThrow('the disk is full')
    await expect(first.handIn('no')).rejects.toThrow('Some items are still open.')
    // Behind another event nobody would see that it is missing.
    const other = given(3, { scores: { tone: 1, facts: 1 } })
    await expect(first.save(other)).rejects.toThrow('comment on item 2 is not saved yet')
    // Started again: what was rated is shown, and asked for again.
    const again = open()
    await again.findUncommented()
    expect(again.state().given).toBe('r-rr')
    expect((await again.item(2)).given).toMatchObject({ scores: { tone: 3, facts: 4 }, comment: '' })
    await expect(again.save(other)).rejects.toThrow('comment on item 2 is not saved yet')
    await again.save(given(2))
    expect([again.state().given, events().length]).toEqual(['rrrr', 5])
    keep.mockRestore()
    await again.save(said)
    await again.handIn('no')
    expect([...comments.values()]).toEqual(['of a patient'])
    // What was handed in stays as it is without its vault.
    comments.clear()
    const last = open()
    await last.findUncommented()
    expect(last.state()).toMatchObject({ given: 'rrrr', handedIn: true })
  })

  test('leaves what was rated without a comment as it is', async () => {
    const { open } = rig()
    await open().save(given(2))
    const again = open()
    await again.findUncommented()
    expect(again.state().given).toBe('-r--')
  })

  test('keeps no comment of a rating that the disk did not take', async () => {
    const { open, comments, events } = rig()
    const [one, other] = [open(), open()]
    await one.save(given(2))
    // The other desk’s log is behind: somebody else wrote the file.
    await expect(other.save(given(3, { comment: 'of a patient' }))).rejects.toThrow(
      'changed by something else',
    )
    expect([comments.size, events().length]).toEqual([0, 1])
  })
})

test('A desk answers what is larger than a rating, and what is asked next on the same connection', async () => {
  const onFault = vi.fn()
  const { server, links } = createDeskServer([rig().open()], { html: '', policy: '' }, onFault)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const sockets = new Set<unknown>()
  const ask = async (method: string, path: string, body: string, more = {}): Promise<IncomingMessage> => {
    const asked = request({ port, host: '127.0.0.1', agent, method, path, headers: more })
    asked.on('socket', (socket) => sockets.add(socket))
    asked.end(body)
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    response.resume()
    await once(response, 'end')
    return response
  }
  const welcome = await ask('GET', links[0] ?? '', '')
  const own = {
    Cookie: welcome.headers['set-cookie']?.[0]?.split(';')[0] ?? '',
    Origin: `http://127.0.0.1:${port}`,
    'Content-Type': 'application/json',
  }
  const statuses: (number | undefined)[] = []
  for (const [size, more] of [
    [100_000, own],
    [2, own],
    [3_000_000, own],
    [3_000_000, {}],
    [2, own],
  ] as const)
    statuses.push((await ask('POST', '/1/api/open', '{}'.padEnd(size), more)).statusCode)
  agent.destroy()
  server.close()
  expect([statuses, sockets.size]).toEqual([[409, 200, 409, 403, 200], 1])
  expect(onFault).not.toHaveBeenCalled()
})
