import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../../../cache/package-root.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import { Prompts, type Task } from '../../../benchmarks/ehrshot/prompt.ts'
import { tiktoken } from '../../../cache/tokens/tiktoken.ts'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import { benchmarkContext } from '../../rig/benchmark-context.ts'
import { promptOf } from '../../rig/helm-forms.ts'

/** sha256 of HELM's prompt of each task for the codes ICD10CM/I10 and LOINC/777-3. */
const PROMPTS = [
  ['new_acutemi', '28fc67ac90ea52deca535842a5fbd34cadfa87e25ac6180152ac4ddc5b1d6fe3'],
  ['new_celiac', '847a30681610f336f8901a3ced0fc01431c8da6d6aef5520ed927db2b4cbdf2d'],
  ['new_hyperlipidemia', '8cbc1cdec8f67e39306a92e11d556d5604c0c2d033e4bea1cb57cf4fdc615b83'],
  ['new_hypertension', '4d47ea646301a668aabdf02c6a1081b82148d99c9a51b1eb91d2abc820d44375'],
  ['new_lupus', 'a237d144fd7ab7a2fc8633e009930b2ffb618537f7d8b294693afed57fec0174'],
  ['new_pancan', 'addf1469831c1005d56708bcdb4cac1e2300bbbf5832213a88371ceeb8e97351'],
  ['lab_anemia', '95ac5bf9864f3d609b1a54c3b4f394dc6730009d1463d2acdab11a88bcb0f6fa'],
  ['lab_hyperkalemia', 'a97c9acff92f3547a23c19b07724c031d5a1222726d5befb75d3f7678664017c'],
  ['lab_hypoglycemia', 'c9bc6e6483eb1287e61ef8f88874305d8c5670a5de3e9420b945ffec3692acde'],
  ['lab_hyponatremia', 'dad3bc25ba14753cf59a0b5acaf9875adcf4b556ab879e0ab9e5dcbb899bd568'],
  ['lab_thrombocytopenia', 'def353ec6a1377415616cd8996465e7dd870cda50d81d9ce41a1d48382a1084c'],
  ['guo_los', '8b1a8b6e30380c319b251156b26e91d35aa39f216ab6fed5e71ad035e5bcdda6'],
  ['guo_readmission', '6c19894fb573906027fd7e115989c566e07ea78b4bbf6d3c7e600d4297322bb5'],
  ['guo_icu', '7a15d65bd1f7efa948c5077511ddb1e20109a039f971f5624fffbb4a0164c60a'],
] as const

interface Declared {
  readonly full_name: string
  readonly persona: string
  readonly question: string
  readonly short_definition?: string
  readonly codes_sorted?: readonly string[]
}

const declared = JSON.parse(
  readFileSync(join(packageRoot(), 'benchmarks/catalog/ehrshot/tasks.json'), 'utf8'),
) as Readonly<Record<string, Declared>>

const taskOf = (name: string): Task => {
  const found = declared[name]
  if (found === undefined) throw new TypeError(`no task ${name}`)
  return {
    fullName: found.full_name,
    persona: found.persona,
    question: found.question,
    codes: found.codes_sorted ?? [],
    ...(found.short_definition === undefined ? {} : { definition: found.short_definition }),
  }
}

const codes = { texts: ['ICD10CM/I10', 'LOINC/777-3', 'X)', ' odd code ', 'None'] }

describe.each(PROMPTS)('%s', (name, digest) => {
  test('asks as HELM asks', async () => {
    const text = new Prompts(taskOf(name), tiktoken('cl100k_base')).text(Int32Array.of(0, 1), codes)
    const { adapter } = await findBenchmark('ehrshot', new Map([['subject', name]]), benchmarkContext())
    const references = ['yes', 'no'].map((answer) => ({ text: answer, tags: [] }))
    expect(digestOf(promptOf(adapter, { id: 'id0', input: { text }, references, split: 'test' }))).toBe(
      digest,
    )
  })

  test.each([[[]], [[0]], [[0, 1]], [[2, 3, 3, 2, 4, 0]]])(
    'counts the tokens of %j line by line',
    (events) => {
      const prompts = new Prompts(taskOf(name), tiktoken('cl100k_base'))
      const timeline = Int32Array.from(events)
      expect(prompts.count(timeline, codes)).toBe(
        tiktoken('cl100k_base').count(prompts.text(timeline, codes)),
      )
    },
  )
})
