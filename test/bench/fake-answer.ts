import { createHash } from 'node:crypto'

/** What the fake server read of a chat request. */
export interface FakeCall {
  readonly model: string
  /** Contents of all messages, joined by blank lines. */
  readonly prompt: string
  /** The request body as it came. */
  readonly body: Readonly<Record<string, unknown>>
  /** 1 for the first time this very body came, 2 for its first repetition, … */
  readonly attempt: number
}

/** A text is answered with status 200; status 0 is never answered; anything else is sent as it stands. */
export type FakeAnswer =
  | string
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown }

/**
 * Answers as a pure function of model and prompt: scores 1 to 5 for a rubric's criteria, a letter where options are
 * listed, else words of the prompt. Two runs get the same text, two models mostly different ones.
 */
export const fakeAnswer = ({ model, prompt }: FakeCall): string => {
  const bytes = createHash('sha256').update(`${model}\n${prompt}`).digest()
  const draw = (place: number, count: number): number => (bytes[place % bytes.length] ?? 0) % count
  const criteria = new Set([...prompt.matchAll(/"([^"\n]+)"\s*:\s*\{\s*"score"/g)].map(([, name]) => name))
  if (criteria.size > 0)
    return JSON.stringify(
      Object.fromEntries(
        [...criteria].map((name, place) => [name, { score: 1 + draw(place, 5), explanation: 'as drawn' }]),
      ),
    )
  const letters = [...new Set([...prompt.matchAll(/^([A-J])\. /gm)].map(([, letter]) => letter))]
  if (letters.length > 1) return letters[draw(0, letters.length)] ?? ''
  const words = prompt.split(/\s+/).filter((word) => word !== '')
  const from = words.length === 0 ? 0 : draw(0, words.length)
  return [...words.slice(from), ...words.slice(0, from)].slice(0, 40).join(' ')
}
