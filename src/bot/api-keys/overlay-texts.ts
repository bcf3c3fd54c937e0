import { languageIn } from '../i18n/languages.ts'
import { createTranslators } from '../i18n/translator.ts'

/**
 * Creates the function that returns the texts of the page for a stream, in the language of the browser that shows the
 * page.
 */
export function createOverlayTexts(testMoney: () => boolean) {
  const translatorFor = createTranslators(testMoney)
  return (acceptLanguage: string | undefined) => {
    const t = translatorFor(languageIn(acceptLanguage))
    return {
      language: t.locale,
      connecting: t('overlay.connecting'),
      connected: t('overlay.connected'),
      noKey: t('overlay.noKey'),
      wrongKey: t('overlay.wrongKey'),
      sats: t('units.plain'),
      testSats: t('units.plainTest'),
    }
  }
}
