import { Problem } from '../../lib/problem.ts'
import type { Html } from '../../lib/web/html.ts'
import { viewerOf } from './admission.ts'
import type { Console } from './console.ts'
import { drawSettings, type SettingsView } from './draw-settings.ts'
import type { Outcome } from './frame.ts'
import { namesOf } from './names.ts'
import type { Site, Visitor } from './site.ts'

export async function settingsPage(site: Site, visitor: Visitor, outcome: Outcome): Promise<Html> {
  const about = { operator: visitor.operator.id, isAlone: site.parts.isAlone, now: site.parts.clock.now() }
  const shown = read(site.parts)
  const named = await namesOf(site, [typeof shown === 'object' ? shown.proposal?.by : undefined])
  return drawSettings({ viewer: viewerOf(site, visitor), shown, named, ...about, ...outcome })
}

/** Whether settings that an operator proposed wait for a second operator, or for the end of a delay. */
export function settingsWait(site: Site): boolean {
  const shown = read(site.parts)
  return typeof shown === 'object' && shown.proposal !== undefined
}

/** Reads the settings. If the settings file cannot be read, returns a sentence to show. */
function read({ settings }: Console): SettingsView['shown'] {
  try {
    return settings?.read()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return error.message
  }
}
