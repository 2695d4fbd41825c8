import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import { loads } from '../../../benchmarks/python/json.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import type { Instance } from '../../../benchmarks/scenario/instance.ts'
import { promptText } from '../../../targets/adapters/prompt.ts'
import { benchmarkContext } from '../../rig/benchmark-context.ts'
import { get } from '../../rig/helm-forms.ts'
import { shared } from '../../rig/shared.ts'

const protocol = shared('spec/medhelm-protocol.json')
const prompts = protocol === undefined ? null : get(loads(readFileSync(protocol, 'utf8')), 'golden_prompts')

const BENCHMARKS = [
  'aci_bench',
  'ehr_sql',
  'head_qa',
  'med_dialog',
  'medbullets',
  'medcalc_bench',
  'medec',
  'medhallu',
  'medhelm_med_mcqa',
  'medhelm_med_qa',
  'medi_qa',
  'medication_qa',
  'mtsamples_procedures',
  'mtsamples_replicate',
  'pubmed_qa',
  'race_based_med',
]

const instanceOf = (golden: PyValue): Instance => ({
  id: 'id0',
  split: 'test',
  input: { text: get(golden, 'instance_input') as string },
  references: (get(golden, 'references') as readonly (readonly [string, readonly string[]])[]).map(
    ([text, tags]) => ({ text, tags }),
  ),
})

describe.skipIf(protocol === undefined)('the prompt that HELM makes of one instance', () => {
  test.each(BENCHMARKS)('%s', async (name) => {
    const args = new Map<string, PyValue>(name === 'med_dialog' ? [['subset', 'icliniq']] : [])
    const { adapter } = await findBenchmark(name, args, benchmarkContext())
    const golden = get(prompts ?? null, name) as readonly PyValue[]
    expect(golden.length).toBeGreaterThan(0)
    for (const each of golden)
      expect(promptText({ adapter, train: [], instance: instanceOf(each) })).toBe(get(each, 'prompt'))
  })
})
