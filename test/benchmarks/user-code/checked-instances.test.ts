import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadScenario } from '../../../benchmarks/declaration/scenario-module.ts'
import { checkedInstances } from '../../../benchmarks/user-code/checked-instances.ts'
import { limitCode, stopWaiting } from '../../../cache/user-code/bounded-call.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { discreetError } from '../../../cache/problems/withheld.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const ASKED = { input: { text: 'one' }, references: [{ text: 'yes', tags: ['correct'] }], split: 'test' }

const all = async (given: readonly unknown[]): Promise<readonly unknown[]> => {
  const found: unknown[] = []
  for await (const draft of checkedInstances('scenario.js', () => given)) found.push(draft)
  return found
}

const faultOf = async (...given: readonly unknown[]): Promise<string> => {
  const error: unknown = await all(given).then(
    () => 'nothing',
    (reason: unknown) => reason,
  )
  return error instanceof ProblemError ? (error.problems[0]?.message ?? '') : String(error)
}

const extra = (value: unknown) => ({ ...ASKED, extraData: new Map([['it', value]]) })

class Asked {
  readonly references = []
  get input(): unknown {
    return { text: 'one' }
  }
  get split(): string {
    return 'test'
  }
}

describe('instances of a workspace’s code', () => {
  it('are read out once, whatever holds them', async () => {
    let reads = 0
    const once = {
      ...ASKED,
      get input() {
        reads += 1
        if (reads > 1) throw new Error('read again')
        return { text: 'one' }
      },
    }
    const [first, second] = await all([once, new Asked()])
    expect(first).toEqual(ASKED)
    expect(second).toEqual({ input: { text: 'one' }, references: [], split: 'test' })
    expect(Object.keys(second as object)).toContain('split')
  })

  it('are what they were when they were given, whatever becomes of what held them', async () => {
    const one = { input: { text: '' }, references: [{ text: 'yes', tags: ['correct'] }], split: 'test' }
    const closed: string[] = []
    function* reused(...texts: readonly string[]) {
      try {
        for (const text of texts) {
          one.input.text = text
          yield one
        }
      } finally {
        closed.push(texts.join(''))
      }
    }
    async function* later() {
      yield* reused('c', 'd')
    }
    const texts: string[] = []
    for (const made of [() => reused('a', 'b'), later])
      for await (const { input } of checkedInstances('scenario.js', made)) texts.push(input.text)
    expect(texts).toEqual(['a', 'b', 'c', 'd'])
    const faulty = async () => {
      for await (const { input } of checkedInstances('scenario.js', () => reused('x', '\ud800', 'y')))
        expect(input.text).toBe('x')
    }
    await expect(faulty()).rejects.toThrow('instance 2: input.text')
    expect(closed).toEqual(['ab', 'cd', 'x\ud800y'])
  })

  it('end by themselves where reading one out never ends, and cost their benchmark alone', async () => {
    limitCode(0.05)
    const endless = Object.defineProperty({ ...ASKED }, 'input', {
      get: () => {
        for (;;);
      },
    })
    expect(await faultOf(endless).finally(() => limitCode(60))).toContain('it computed for more than 0.05 s')
  })

  it('may have extra data of any depth, objects as dicts', async () => {
    const [draft] = await all([extra({ a: [1, null, { b: 5n }], c: Number.NaN })])
    const inner = new Map([['b', 5n]])
    expect(draft).toMatchObject({
      extraData: new Map([
        [
          'it',
          new Map<string, unknown>([
            ['a', [1, null, inner]],
            ['c', Number.NaN],
          ]),
        ],
      ]),
    })
  })

  const circle: { it?: unknown } = {}
  circle.it = circle
  const twofold = Array.from({ length: 40 }).reduce<unknown>((value) => [value, value], 1)
  it.each<[what: string, given: object, told: string]>([
    ['half a surrogate pair', { ...ASKED, input: { text: 'a\ud800b' } }, 'input.text: it holds half'],
    ['half a pair in a reference', { ...ASKED, references: [{ text: '\udc00', tags: [] }] }, 'it holds half'],
    ['an empty id', { ...ASKED, id: '' }, 'id: Too small'],
    ['a fraction for an id', { ...ASKED, id: 1.5 }, 'id: Invalid input'],
    ['a number for a sub-split', { ...ASKED, subSplit: 7 }, 'subSplit: Invalid input'],
    ['a key that nothing reads', { ...ASKED, extra_data: {} }, 'Unrecognized key: "extra_data"'],
    ['a hole among its references', { ...ASKED, references: Array(1) }, 'references.0: Invalid input'],
    ['a function', extra(() => 1), 'extraData.it is nothing that JSON can hold'],
    ['a date', extra({ on: new Date(0) }), 'extraData.it.on is nothing that JSON can hold'],
    ['a cell that is not there', extra(undefined), 'extraData.it is nothing that JSON can hold'],
    ['a number for a key', { ...ASKED, extraData: new Map([[1, 'a']]) }, 'a key that is no text'],
    ['half a pair in a key', { ...ASKED, extraData: new Map([['\udc00', 1]]) }, 'a key that is no text'],
    ['a circle', extra(circle), 'extraData holds itself'],
    ['two that each hold the next two', extra(twofold), 'too much in each other'],
  ])('are refused by number with %s', async (_, given, told) => {
    expect(await faultOf(ASKED, given)).toMatch(
      'scenario.js gave no instances that can be used: instance 2: ',
    )
    expect(await faultOf(given)).toContain(told)
  })

  it.each([
    [{ ...ASKED, id: 'a' }, ASKED],
    [
      { ...ASKED, id: 1 },
      { ...ASKED, id: '1' },
    ],
  ])('have ids of one kind, all or none', async (...given) => {
    expect(await faultOf(...given)).toContain('instance 2: id: all are texts, all are numbers, or none')
  })

  it.each([
    ['no text', Object.create(null)],
    [
      'an error that can’t be read',
      Object.defineProperty(new Error('x'), 'message', {
        get: () => {
          throw new Error('deep')
        },
      }),
    ],
  ])('end with a problem where code throws %s', async (_, thrown) => {
    const work = async () => {
      for await (const draft of checkedInstances('scenario.js', () => {
        throw thrown
      }))
        expect(draft).toBeUndefined()
    }
    await expect(work()).rejects.toThrow('it ended with: what can’t be told in words')
  })
})

it('Code that never settles did not fail where the run was stopped meanwhile.', async () => {
  const next = checkedInstances('scenario.js', () => new Promise(() => undefined)).next()
  await Promise.resolve()
  stopWaiting()
  await expect(next).rejects.toMatchObject({ name: 'AbortError', message: 'the run was stopped' })
})

it('A file that exports no scenario is told so where texts are not public, too, and not what its code threw.', async () => {
  for (const [code, told] of [
    ['export default () => []', "the scenario's code can't be used: it exports no function `instances`"],
    ["throw new Error('JONES')", "the scenario's code can't be used: its import ended with an error"],
  ] as const) {
    const cwd = createWorkspace({ 'package.json': '{"type": "module"}', 'benchmarks/own/scenario.js': code })
    const error = await loadScenario(join(cwd, 'benchmarks/own/benchmark.yaml'), 'own').catch(discreetError)
    expect(error).toMatchObject({
      problems: [
        { message: told, remedy: expect.stringContaining('Export `instances(data, args)`') as string },
      ],
    })
  }
})
