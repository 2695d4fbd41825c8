import { Template } from '@huggingface/jinja'
import { ProblemError, reasonOf } from '../../cache/problems/problem.ts'
import { ClientError, type Message } from '../calls/client.ts'

type Settings = Readonly<Record<string, unknown>>

/** Writes messages as one text that ends where the model is to go on. @throws ClientError `local/chat-template` */
export type ChatTemplate = (messages: readonly Message[]) => string

/**
 * A model's chat template: chat_template.jinja where there is one, else that of tokenizer_config.json.
 * Templates that write today's date get a fixed one, so that a prompt is the same every day.
 *
 * @returns undefined for a model that has none
 * @throws ProblemError `models/chat-template` for one that can't be read
 */
export const chatTemplate = (
  config: Settings,
  jinja: string | undefined,
  folder: string,
): ChatTemplate | undefined => {
  const source = jinja ?? sourceOf(config['chat_template'])
  if (source === undefined) return undefined
  const template = parse(source, folder)
  const tokens = Object.fromEntries(
    ['bos_token', 'eos_token', 'pad_token', 'unk_token'].map((name) => [name, tokenText(config[name])]),
  )
  return (messages) => {
    try {
      return template.render({
        ...tokens,
        messages: messages.map(({ role, content }) => ({ role, content })),
        add_generation_prompt: true,
        tools: null,
        documents: null,
        [FIXED_CLOCK]: fixedDate,
      })
    } catch (cause) {
      throw new ClientError(
        'local/chat-template',
        `the chat template refuses the messages: ${reasonOf(cause)}`,
        {
          retriable: false,
          cause,
        },
      )
    }
  }
}

/** The library's own `strftime_now`, which tells the time, can't be replaced under that name. */
const FIXED_CLOCK = 'medmake_fixed_date'

/** 26 July 2024: what Llama's templates write where they are told no date. */
const DATE: Readonly<Record<string, string>> = {
  A: 'Friday',
  a: 'Fri',
  B: 'July',
  b: 'Jul',
  d: '26',
  m: '07',
  Y: '2024',
  y: '24',
  H: '00',
  M: '00',
  S: '00',
}

const fixedDate = (format: string): string =>
  format.replaceAll(/%(.)/g, (directive, letter: string) => {
    const text = letter === '%' ? '%' : DATE[letter]
    if (text === undefined) throw new RangeError(`the date format ${directive} is not known`)
    return text
  })

/** One template, or several by name, of which `default` is meant. */
const sourceOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return undefined
  const named = (value as readonly Settings[]).find(({ name }) => name === 'default')
  return typeof named?.['template'] === 'string' ? named['template'] : undefined
}

const tokenText = (value: unknown): string => {
  const text = typeof value === 'object' && value !== null ? (value as Settings)['content'] : value
  return typeof text === 'string' ? text : ''
}

const parse = (source: string, folder: string): Template => {
  try {
    return new Template(source.replaceAll(/\bstrftime_now\b/g, FIXED_CLOCK))
  } catch (cause) {
    throw new ProblemError(
      {
        code: 'models/chat-template',
        message: `the model's chat template can't be read: ${reasonOf(cause)}`,
        where: { file: folder },
        remedy: 'Fetch the files again, or write apply_chat_template: false into args.',
      },
      { cause },
    )
  }
}
