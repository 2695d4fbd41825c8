import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { loads } from '../../../benchmarks/python/json.ts'
import { dumps } from '../../../benchmarks/python/dumps.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { ehrSql } from '../../../targets/metrics/ehr-sql.ts'
import type { RequestState } from '../../../targets/record/request-state.ts'
import { annotateQueries } from '../../../targets/sql/annotate-queries.ts'
import type { SqlBox } from '../../../targets/sql/box.ts'
import { shared } from '../../rig/shared.ts'
import { goldenRuns } from '../metrics/golden-run.ts'
import { openBox, runIn } from './open-box.ts'

const cases = shared('golden/metrics/ehr-sql/cases.jsonl')
const database = shared('golden/metrics/ehr-sql/eicu-synthetic.sqlite')
const runs = shared('golden/public-benchmarks/benchmark_output/runs/public')
const runDatabase = shared('golden/public-benchmarks/eicu.sqlite')

type Dict = ReadonlyMap<string, PyValue>

const boxes: SqlBox[] = []
const boxOf = (path: string | undefined): SqlBox => {
  const box = openBox(path ?? '')
  boxes.push(box)
  return box
}
afterAll(async () => {
  await Promise.all(boxes.map((box) => box.close()))
})

const instanceOf = (row: Dict): RequestState['instance'] => ({
  id: 'id0',
  input: { text: '' },
  split: 'test',
  references: [{ text: row.get('gold') as string, tags: ['correct'] }],
  extraData: (row.get('extra') ??
    new Map<string, PyValue>([
      ['db_path', 'eicu.sqlite'],
      ['value', row.get('value') ?? new Map()],
      ['is_impossible', row.get('is_impossible') ?? false],
    ])) as Dict,
})

const statsOf = (instance: RequestState['instance'], text: string, annotation: Dict | undefined): PyValue => {
  const state = {
    instance,
    result: { completions: [{ text }] },
    ...(annotation === undefined ? {} : { annotations: new Map([['ehr_sql', annotation]]) }),
  } as unknown as RequestState
  const spec = { metric: 'ehr_sql', helm: { className: 'EhrSqlMetric', args: new Map() } }
  return ehrSql.evaluate(state, spec, {} as never).map(({ name, value }) => [name, value])
}

/** The golden file writes floats that JSON has no form for as objects. */
const plain = (value: PyValue | undefined): string =>
  dumps(value ?? null)
    .replaceAll('{"float": "inf"}', 'Infinity')
    .replaceAll('{"float": "-inf"}', '-Infinity')

describe.skipIf(cases === undefined)("HELM's EHRSQL annotator and metric", () => {
  test('give what HELM gave, save where a statement would write or HELM ends its run', async () => {
    const run = runIn(boxOf(database))
    const deviations = new Map<string, string[]>()
    let equal = 0
    for (const line of readFileSync(cases ?? '', 'utf8')
      .trimEnd()
      .split('\n')) {
      const row = loads(line) as Dict
      const instance = instanceOf(row)
      const text = row.get('pred') as string
      const { annotation, failure } = await annotateQueries(instance, text, run)
      if (failure !== undefined) {
        const notes = deviations.get(failure.code) ?? []
        deviations.set(failure.code, [...notes, row.get('note') as string])
        continue
      }
      expect(dumps(annotation ?? null), line).toBe(plain(row.get('annotation')))
      expect(dumps(statsOf(instance, text, annotation)), line).toBe(plain(row.get('stats')))
      equal += 1
    }
    expect(equal).toBe(559)
    expect(Object.fromEntries([...deviations].map(([code, notes]) => [code, notes.length]))).toEqual({
      'sql/refused': 33,
      'sql/gold-query': 2,
      'sql/gold-value': 3,
    })
    expect(deviations.get('sql/gold-value')).toEqual(['list value', 'value None', 'value a list'])
  })

  test('give what stands in the files of whole runs', async () => {
    const run = runIn(boxOf(runDatabase))
    let compared = 0
    for (const folder of goldenRuns(runs ?? '').filter((path) => path.includes('ehr_sql'))) {
      const { request_states: states } = Object.fromEntries(
        loads(readFileSync(join(folder, 'scenario_state.json'), 'utf8')) as Dict,
      )
      for (const state of states as readonly Dict[]) {
        const instance = state.get('instance') as Dict
        const [reference] = instance.get('references') as readonly Dict[]
        const gold = (reference?.get('output') as Dict | undefined)?.get('text')
        const [completion] = (state.get('result') as Dict).get('completions') as readonly Dict[]
        const made = await annotateQueries(
          instanceOf(
            new Map<string, PyValue>([
              ['gold', gold as string],
              ['extra', instance.get('extra_data') as Dict],
            ]),
          ),
          completion?.get('text') as string,
          run,
        )
        expect(dumps(made.annotation ?? null)).toBe(
          dumps((state.get('annotations') as Dict).get('ehr_sql') ?? null),
        )
        compared += 1
      }
    }
    expect(compared).toBe(64)
  })
})
