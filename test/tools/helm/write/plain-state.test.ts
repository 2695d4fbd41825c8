import { expect, it } from 'vitest'
import { loads } from '../../../../benchmarks/python/json.ts'
import { dumps } from '../../../../benchmarks/python/dumps.ts'
import {
  displayRequestForm,
  instanceForm,
  requestStateForm,
} from '../../../../tools/helm/forms/request-state.ts'
import { shownInstanceValues } from '../../../../tools/helm/instance-values.ts'
import { indented } from '../../../../tools/helm/write/staged-file.ts'
import { plainState } from '../../../../tools/helm/write/plain-state.ts'

const STATE = `{
      "instance": {
        "input": {
          "text": "Is it \\"so\\"?\\n\\u00e9\\ud83d\\ude00 \\\\ \\u007f"
        },
        "references": [
          {
            "output": {
              "text": "yes"
            },
            "tags": [
              "correct"
            ]
          },
          {
            "output": {
              "text": "no"
            },
            "tags": []
          }
        ],
        "split": "test",
        "id": "id7"
      },
      "train_trial_index": 0,
      "output_mapping": {
        "A": "yes",
        "B": "no"
      },
      "request": {
        "model_deployment": "m/a",
        "model": "m/a",
        "embedding": false,
        "prompt": "Is it?",
        "temperature": 0.5,
        "num_completions": 1,
        "top_k_per_token": 1,
        "max_tokens": 5,
        "stop_sequences": [
          "\\n"
        ],
        "echo_prompt": false,
        "top_p": 1,
        "presence_penalty": 0,
        "frequency_penalty": 0.0
      },
      "result": {
        "success": true,
        "embedding": [],
        "completions": [
          {
            "text": "A",
            "logprob": -1e-05,
            "tokens": [
              {
                "text": "A",
                "logprob": -0.25
              }
            ],
            "finish_reason": {
              "reason": "stop"
            }
          }
        ],
        "cached": true,
        "request_time": 0.25,
        "request_datetime": 1767225600
      },
      "num_train_instances": 0,
      "prompt_truncated": false,
      "num_conditioning_tokens": 0
    }`

/** What the forms make of a state, value by value. */
const byForms = (text: string) => {
  const state = requestStateForm.read(loads(text), '')
  const { id } = state.instance
  return {
    id: dumps(String(id)),
    trial: dumps(state.trainTrialIndex),
    instance: indented(
      instanceForm.write(id === undefined ? state.instance : { ...state.instance, id: String(id) }),
      1,
    ),
    request: indented(displayRequestForm.write(state.request), 2),
    answer: dumps(state.result?.completions[0]?.text ?? ''),
    ...(state.outputMapping === undefined ? {} : { outputMapping: indented(state.outputMapping, 3) }),
  }
}

it('a plain state’s parts are those that its forms give', () => {
  expect(plainState(STATE)).toEqual(byForms(STATE))
})

const swap = (from: string, to: string): string => {
  expect(STATE).toContain(from)
  return STATE.replace(from, to)
}

it.each([
  ['numbers of other digits', swap('"temperature": 0.5', '"temperature": 0.50')],
  ['numbers with exponents', swap('"temperature": 0.5', '"temperature": 5e-01')],
  ['numbers that Python prints with exponents', swap('"temperature": 0.5', '"temperature": 0.00001')],
  ['whole numbers as temperatures', swap('"temperature": 0.5', '"temperature": 2')],
  ['long temperatures', swap('"temperature": 0.5', '"temperature": 0.30000000000000004')],
  ['escapes that Python does not write', swap('\\u00e9', '\\u0041')],
  ['escapes in capitals', swap('\\u00e9', '\\u00E9')],
  ['escaped slashes', swap('Is it?', 'Is it\\/?')],
  ['letters that stand as they are', swap('Is it?', 'Is ït?')],
  ['an id that is a number', swap('"id": "id7"', '"id": 7')],
  ['no id', swap(',\n        "id": "id7"', '')],
  ['no split', swap('"split": "test",\n        ', '')],
  [
    'data of its own',
    swap('"id": "id7"', '"id": "id7",\n        "extra_data": {\n          "x": 1.50\n        }'),
  ],
  ['a name twice', swap('"prompt": "Is it?"', '"prompt": "Is it?",\n        "prompt": "So?"')],
  [
    'thinking',
    swap(
      '"text": "A",\n            "logprob"',
      '"text": "A",\n            "thinking": {"text": "hm"},\n            "logprob"',
    ),
  ],
  [
    'two completions',
    swap(
      '],\n        "cached"',
      ',\n          {"text": "B", "logprob": 0, "tokens": []}],\n        "cached"',
    ),
  ],
  ['an unknown field', swap('"num_train_instances": 0', '"new": [1.0],\n      "num_train_instances": 0')],
  [
    'annotations',
    swap(
      '"num_conditioning_tokens": 0',
      '"num_conditioning_tokens": 0,\n      "annotations": {\n        "a": 1.0\n      }',
    ),
  ],
  ['no mapping', STATE.replace(/"output_mapping": \{[^}]*\},\n {6}/, '')],
  ['an empty mapping', STATE.replace(/"output_mapping": \{[^}]*\}/, '"output_mapping": {}')],
  ['another layout', STATE.replaceAll('\n  ', '\n')],
])('a state with %s is left to its forms, or has the same parts', (_, text) => {
  const plain = plainState(text)
  if (plain !== undefined) expect(plain).toEqual(byForms(text))
})

it.each([
  ['a comma too many', swap('"split": "test",', '"split": "test",,')],
  ['a string that ends in its line', swap('"id": "id7"', '"id": "id7')],
  ['a raw control character', swap('Is it?', 'Is\tit?')],
  ['something behind it', `${STATE} x`],
])('a damaged state, with %s, is no plain one', (_, text) => {
  expect(plainState(text)).toBeUndefined()
})

const stat = (name: string, mean: string, more = ''): string => `
      {
        "name": {
          "name": "${name}",
          "split": "test"${more}
        },
        "count": 1,
        "sum": 0.5,
        "sum_squared": 0.25,
        "min": 0.5,
        "max": 0.5,
        "mean": ${mean},
        "variance": 0.0,
        "stddev": 0.0
      }`
const element = (stats: readonly string[]): string => `
  {
    "instance_id": "id7",
    "train_trial_index": 2,
    "stats": [${stats.join(',')}
    ]
  }`
const SHOWN = new Set(['exact_match', 'f1'])

it('of the stats of an instance the means of shown metrics are read', () => {
  const text = element([stat('exact_match', '1'), stat('other', '3'), stat('f1', '2.5e-01')])
  expect(shownInstanceValues(text, SHOWN)).toEqual({
    instanceId: 'id7',
    trainTrialIndex: 2,
    stats: [
      { name: { name: 'exact_match' }, mean: 1 },
      { name: { name: 'f1' }, mean: 0.25 },
    ],
  })
})

it.each([
  ['a number that is none', element([stat('other', '1.2.3')])],
  ['Python’s NaN', element([stat('f1', 'NaN')])],
  ['a perturbation', element([stat('f1', '1', ',\n          "perturbation": {"name": "x"}')])],
  ['an escaped name', element([stat('f\\u0031', '1')])],
  ['a comma too many', element([`${stat('f1', '1')},`])],
  ['no comma between two', element([stat('f1', '1') + stat('other', '1')])],
  ['its end missing', element([stat('f1', '1')]).slice(0, -4)],
])('stats with %s are left to the other reader', (_, text) => {
  expect(shownInstanceValues(text, SHOWN)).toBeUndefined()
})
