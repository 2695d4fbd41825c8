import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fromHuggingFace } from '../../../models/tokenizers/from-hugging-face.ts'
import { truncateFromRight } from '../../../models/tokenizers/tokenizer.ts'

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
