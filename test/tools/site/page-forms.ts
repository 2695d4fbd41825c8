import type { Page } from 'playwright-core'

/** Attributes whose values decide what axe finds; of others only the name does, and whether it is empty. */
const VALUES = ['class', 'role', 'style', 'type', 'scope', 'tabindex', 'lang', 'rel', 'fill', 'stroke']
const REFERENCES = ['for', 'aria-labelledby', 'aria-describedby', 'aria-controls', 'aria-owns']

/**
 * The forms of all elements of a page, without its words: name, attributes, all that it lies in, whether texts,
 * elements, labels and the targets of references are there and labels and ids differ, the heading before, what scrolls
 * and which controls are small. Each once, as a digest; the page keeps which element has which.
 */
export const formsOf = (page: Page): Promise<readonly number[]> =>
  page.evaluate<readonly number[]>(`(() => {
    const [values, references] = [new Set(${JSON.stringify(VALUES)}), new Set(${JSON.stringify(REFERENCES)})]
    const twice = (texts) => {
      const seen = new Set()
      return new Set(texts.filter((text) => seen.has(text) || !seen.add(text)))
    }
    const all = [...document.querySelectorAll('*')]
    const ids = twice(all.map(({ id }) => id).filter((id) => id !== ''))
    const named = (each) => each.localName + ' ' + each.getAttribute('aria-label')
    const labels = twice(all.filter((each) => each.matches(':is(section, nav, aside, [role])[aria-label]')).map(named))
    const shown = (each, { name, value }) => {
      if (references.has(name))
        return name + ':' + value.split(' ').map((id) => document.getElementById(id)?.localName ?? '-')
      if (name === 'id') return ids.has(value) ? 'id twice' : ''
      if (name === 'aria-label') return 'label' + (value.trim() === '') + labels.has(named(each))
      if (values.has(name) || (name.startsWith('aria-') && value.length < 8)) return name + '=' + value
      return name + (value === '')
    }
    let heading = ''
    const look = (each) => {
      if (!each.checkVisibility()) return 'hidden'
      const before = heading
      if (/^h\\d$/.test(each.localName)) heading = each.localName
      const { overflowX, overflowY } = getComputedStyle(each)
      const scrolls = (overflow, by) => by > 1 && (overflow === 'auto' || overflow === 'scroll')
      const { width, height } = each.getBoundingClientRect()
      return [
        scrolls(overflowX, each.scrollWidth - each.clientWidth),
        scrolls(overflowY, each.scrollHeight - each.clientHeight),
        each.matches('a, button, input, select, summary') && [width < 24, height < 24],
        heading === before || before,
      ].join()
    }
    const digest = (text) => {
      let [one, other] = [0xdeadbeef, 0x41c6ce57]
      for (let at = 0; at < text.length; at += 1) {
        one = Math.imul(one ^ text.charCodeAt(at), 2654435761)
        other = Math.imul(other ^ text.charCodeAt(at), 1597334677)
      }
      return 4294967296 * (2097151 & other) + (one >>> 0)
    }
    const isText = (node) => node.nodeType === 3 && node.data.trim() !== ''
    const forms = new Map()
    for (const each of all) {
      const attributes = [...each.attributes].map((attribute) => shown(each, attribute)).sort()
      const holds = [[...each.childNodes].some(isText), each.childElementCount > 0]
      const within = forms.get(each.parentElement) ?? 0
      forms.set(each, digest([within, each.localName, ...attributes, look(each), ...holds].join('|')))
    }
    globalThis.elementForms = forms
    return [...new Set(forms.values())]
  })()`)

/** An expression of the page: the elements whose forms, as `formsOf` found them, are none of these. What lies in one is among them. */
export const elementsBeyond = (known: Iterable<number>): string =>
  `(() => {
    const known = new Set(${JSON.stringify([...known])})
    return [...elementForms].flatMap(([each, form]) => (known.has(form) ? [] : [each]))
  })()`
