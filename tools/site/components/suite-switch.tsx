import type { JSX } from 'preact'
import { rootOf, suitePath, type SuitePage } from '../paths.ts'
import type { SiteSuite } from '../site.ts'
import { visibleText } from '../visible-text.ts'

interface SuiteSwitchProps {
  readonly page: SuitePage
  readonly suites: readonly SiteSuite[]
  /** The suite that is shown. */
  readonly suite: string
}

/** The same page of the other suites; nothing where there is one suite. */
export const SuiteSwitch = ({ page, suites, suite }: SuiteSwitchProps): JSX.Element | null =>
  suites.length < 2 ? null : (
    <nav aria-label="Suites" class="suites">
      <ul class="pages">
        {suites.map(({ board }) => (
          <li key={board.suite}>
            <a
              href={rootOf(suitePath(page, suites, suite)) + suitePath(page, suites, board.suite)}
              aria-current={board.suite === suite ? 'page' : undefined}
            >
              {visibleText(board.suite)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
