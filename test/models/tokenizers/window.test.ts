import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fromHuggingFace } from '../../../models/tokenizers/from-hugging-face.ts'
import { fits, truncateFromRight, type Tokenizer } from '../../../models/tokenizers/tokenizer.ts'

const fixtures = join(import.meta.dirname, '../../fixtures/tokenizers')
const read = async (file: string): Promise<unknown> =>
  JSON.parse(await readFile(join(fixtures, file), 'utf8'))

const { texts } = (await read('expected.json')) as { readonly texts: readonly string[] }

/** Digests of all texts as LocalWindowService of crfm-helm 0.5.16 cuts them (max_tokens 2); null where it cuts none. */
const windows = (await read('windows.json')) as Readonly<Record<string, Readonly<Record<string, string>>>>

describe('truncateFromRight', () => {
  it.each(Object.entries(windows))('cuts as HELM does where a %s tokenizer counts', async (name, bySize) => {
    const tokenizer = await fromHuggingFace(name, join(fixtures, name))
    const digests = Object.keys(bySize).map((size) => {
      const cuts = texts.map((text) => {
        const { text: cut, truncated } = truncateFromRight(text, 2, {
          tokenizer,
          maxRequestLength: Number(size),
        })
        return truncated ? cut : null
      })
      return [size, createHash('sha256').update(JSON.stringify(cuts)).digest('hex').slice(0, 16)]
    })
    expect(Object.fromEntries(digests)).toEqual(bySize)
  })

  it('counts a text as cut that comes back shorter, and leaves one that comes back changed', async () => {
    const tokenizer = await fromHuggingFace('word-piece', join(fixtures, 'word-piece'))
    const window = { tokenizer, maxRequestLength: 900 }
    expect(truncateFromRight('A  chest', 2, window)).toEqual({ text: 'a chest', truncated: true })
    expect(truncateFromRight('CHEST pain', 2, window)).toEqual({ text: 'CHEST pain', truncated: false })
  })
})

describe('fits', () => {
  /** As a vocabulary that knows no word: a token a byte. */
  const bytes: Tokenizer = {
    faithful: true,
    count: (text) => Buffer.byteLength(text),
    head: (text, limit) => text.slice(0, limit),
    tokens: () => undefined,
  }

  it('takes prompt and answer up to the window, and counts bytes where characters have several', () => {
    const window = (maxRequestLength: number) => ({ tokenizer: bytes, maxRequestLength })
    expect([5, 6, 7].map((size) => fits('abcd', 2, window(size)))).toEqual([false, true, true])
    expect([5, 6].map((size) => fits('éé', 2, window(size)))).toEqual([false, true])
    expect(fits('éé', 2, { tokenizer: bytes })).toBe(true)
  })

  it('takes what a tokenizer counts as no longer, though its bytes are', () => {
    const words: Tokenizer = { ...bytes, count: (text) => text.split(' ').length }
    const window = (maxRequestLength: number) => ({ tokenizer: words, maxRequestLength })
    expect([3, 4].map((size) => fits('some words', 2, window(size)))).toEqual([false, true])
  })
})
