import { type Action, WrongForm } from './action.ts'
import { isSecret, secretName } from './secret-fields.ts'

/** What the form of settings sends beside them. */
const NAME = /^[A-Z][A-Z0-9_]*$/

/** What operators change of the settings. */
export const SETTINGS_ACTIONS: Readonly<Record<string, Action>> = {
  'settings-change': {
    ...{ fresh: true, page: '/console/settings' },
    async run({ settings, administration }, form, operator) {
      if (settings === undefined) throw new WrongForm('settings.none')
      const named = [...form].map(([name, value]) => [isSecret(name) ? secretName(name) : name, value] as const)
      const values = Object.fromEntries(named.filter(([name]) => NAME.test(name)))
      const { changed, notes } = await settings.change({ values, version: form.get('version') ?? '' })
      const did = `changed settings in the console, for the next start: ${changed.join('; ')}`
      await administration().tellOfOperator({ operator, did })
      return { said: 'said.settings-changed', once: [], notes }
    },
  },
}
