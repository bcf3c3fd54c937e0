import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Returns the page's serious and critical accessibility faults, a line for each; on request, only those that depend on
 * the theme.
 */
export async function faults(page: Page, { coloursAlone = false } = {}): Promise<string[]> {
  await page.waitForTimeout(400) // Colours are judged when they have stopped changing.
  await page.evaluate(axe)
  const options = coloursAlone ? "{ runOnly: ['color-contrast', 'link-in-text-block'] }" : ''
  const { violations } = (await page.evaluate(`axe.run(${options})`)) as AxeResults
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`))
}

/**
 * Returns the page's faults in the light and the dark theme. The playground sets its own theme; other pages follow the
 * browser's.
 */
export async function faultsInBothThemes(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate(`document.documentElement.dataset.theme &&= '${colorScheme}'`)
    found.push(...(await faults(page, { coloursAlone: colorScheme === 'dark' })))
  }
  return found
}
