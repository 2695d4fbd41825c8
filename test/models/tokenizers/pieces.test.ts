import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exactParts } from '../../../models/tokenizers/exact-parts.ts'
import { fromHuggingFace, shownPiece } from '../../../models/tokenizers/from-hugging-face.ts'
import { loadTokenizer } from '../../../models/tokenizers/tokenizer.ts'

test.each([
  ['huggingface/gpt2', 'decoded'],
  ['openai/gpt-4', 'decoded'],
  ['bigscience/bloom', 'decoded'],
  ['facebook/opt-66b', 'decoded'],
  ['google/ul2', ' aĠb'],
  ['together', ' aĠb'],
  ['huggingface/santacoder', '▁a b'],
  ['anthropic/claude', '▁a b'],
  ['meta-llama/Llama-2-7b-hf', '▁aĠb'],
])('A token of %s is shown as HELM shows it', (name, shown) => {
  expect(shownPiece(name, '▁aĠb', () => 'decoded')).toBe(shown)
})

test('The simple tokenizer counts code points', async () => {
  const tokenizer = await loadTokenizer({ tokenizerName: 'simple/tokenizer1' })
  expect(['', 'abc', 'a😀é'].map((text) => tokenizer?.count(text))).toEqual([0, 3, 3])
  expect([2, 0, -1].map((limit) => tokenizer?.head('a😀é', limit))).toEqual(['a😀', '', ''])
  expect(tokenizer?.tokens('a😀')).toEqual(['a', '😀'])
})

test('A text that OpenAI’s tokenizers refuse has no tokens, and is plain text where it is counted.', async () => {
  const refusals = async (tokenizerName: string) => {
    const tokenizer = await loadTokenizer({ tokenizerName })
    const words = ['endoftext', 'endofprompt', 'fim_prefix', 'fim_middle', 'fim_suffix', 'im_start']
    expect(tokenizer?.count('<|endoftext|>')).toBeGreaterThan(1)
    return words.filter((word) => tokenizer?.tokens(`a <|${word}|>`) === undefined)
  }
  expect(await refusals('openai/o200k_base')).toEqual(['endoftext', 'endofprompt'])
  expect(await refusals('openai/cl100k_base')).toEqual([
    'endoftext',
    'endofprompt',
    'fim_prefix',
    'fim_middle',
    'fim_suffix',
  ])
})

test.each([
  ['Digits', { type: 'Digits', individual_digits: true }, ['Split']],
  ['bytes cut by words', { type: 'ByteLevel' }, ['Split', 'ByteLevel']],
  ['bytes that others have cut', { type: 'ByteLevel', use_regex: false }, ['ByteLevel']],
  ['bytes after a space', { type: 'ByteLevel', add_prefix_space: true }, ['ByteLevel']],
  ['what needs no other terms', { type: 'BertPreTokenizer' }, ['BertPreTokenizer']],
])('A text is cut once: %s', (_, part, types) => {
  const { pre_tokenizer: exact } = exactParts({ pre_tokenizer: part }, 'tokenizer.json')
  const { type, pretokenizers } = exact as { type: string; pretokenizers?: readonly { type: string }[] }
  expect(pretokenizers?.map((each) => each.type) ?? [type]).toEqual(types)
})

test('One folder under two names of HELM’s shows its pieces by each name.', async () => {
  const folder = join(import.meta.dirname, '../../fixtures/tokenizers/byte-level')
  const [plain, decoded] = await Promise.all(
    ['own/model', 'own/gpt'].map((name) => fromHuggingFace(name, folder)),
  )
  expect(plain?.tokens('a b')).not.toEqual(decoded?.tokens('a b'))
  expect(decoded?.tokens('a b')?.join('')).toBe('a b')
})
