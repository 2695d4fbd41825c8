/**
 * Characters that a page can't hold or that would hide or reorder what is around them: controls but tab and line
 * feed, directional overrides and isolates, zero-width spaces, lone surrogates. Joiners are left, words need them.
 */
const HIDDEN =
  /(?![\t\n])[\p{Cc}\p{Cs}\u00AD\u200B\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu

/** Text with hidden characters spelled out: `⟨U+202E⟩`. Line ends of all systems become line feeds. */
export const visibleText = (text: string): string =>
  text
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(
      HIDDEN,
      (character) => `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
    )

/** The same in one line. */
export const oneLine = (text: string): string => visibleText(text).replaceAll(/\s+/g, ' ')
