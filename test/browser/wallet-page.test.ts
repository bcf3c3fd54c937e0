import { afterAll, expect, test } from 'vitest'
import { qrPng } from '../../src/lib/lightning/qr.ts'
import { LANGUAGES } from '../../src/payments-service/wallet-page/i18n/languages.ts'
import { ServiceWorld } from '../payments-service/harness.ts'
import { closeBrowser, newProfile, picture } from './browser.ts'
import { cameraThatSees } from './camera.ts'

afterAll(closeBrowser)

test('a scanned code fills in the recipient, and an unusable camera is reported', async () => {
  const world = await ServiceWorld.open()
  try {
    const { token } = await world.administration.createUser('alice')
    const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, locale: 'en' }
    const context = await newProfile(phone)
    const page = await context.newPage()
    await page.goto(`${world.url}/wallet/sign-in?token=${token}`)
    await page.getByRole('button', { name: 'Sign in as alice' }).click()
    await page.goto(`${world.url}/wallet/send`)
    await page.getByRole('button', { name: 'Scan a code' }).click()
    await page.getByText('The camera cannot be used.').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    const png = await qrPng('lightning:carol@example.com')
    await page.addInitScript(cameraThatSees(png))
    await page.reload()
    await picture(page, 'wallet-send')
    await page.getByRole('button', { name: 'Scan a code' }).click()
    await expect.poll(() => page.getByLabel('To', { exact: true }).inputValue()).toBe('carol@example.com')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await context.close()
  } finally {
    await world.close()
  }
})

/** Returns a script that finds the broken words of buttons: such a word is drawn as two boxes, one below the other. */
const brokenWords = (selector: string) => `[...document.querySelectorAll('${selector}')].flatMap((button) => {
  const text = [...button.childNodes].find((node) => node.nodeType === Node.TEXT_NODE)
  return [...text.textContent.matchAll(/\\p{L}+/gu)].flatMap(({ 0: word, index }) => {
    const range = document.createRange()
    range.setStart(text, index)
    range.setEnd(text, index + word.length)
    return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1 ? [word] : []
  })
})`

test('no word on the wallet’s buttons breaks on a phone except in Chinese and Japanese', async () => {
  const world = await ServiceWorld.open()
  try {
    const { token } = await world.administration.createUser('alice')
    const phone = { viewport: { width: 360, height: 780 }, isMobile: true, hasTouch: true, locale: 'de' }
    const context = await newProfile(phone)
    const page = await context.newPage()
    await page.goto(`${world.url}/wallet/sign-in?token=${token}`)
    await page.getByRole('button', { name: 'Als alice anmelden' }).click()
    for (const language of Object.keys(LANGUAGES)) {
      await context.addCookies([{ name: 'wallet-language', value: language, url: world.url }])
      await page.goto(`${world.url}/wallet`)
      const buttons = page.locator('.actions > *')
      expect(await buttons.count(), language).toBe(3)
      const broken = await page.evaluate(brokenWords('.actions > *'))
      // Chinese and Japanese break between any two letters.
      if (!['zh', 'zh-TW', 'ja'].includes(language)) expect(broken, language).toEqual([])
      const isWide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
      expect(isWide, language).toBe(false)
    }
    await context.close()
  } finally {
    await world.close()
  }
})

test('no word in the wallet page’s navigation breaks on a desktop, in any language', async () => {
  const world = await ServiceWorld.open()
  try {
    const { token } = await world.administration.createUser('alice')
    const context = await newProfile({ viewport: { width: 1280, height: 800 }, locale: 'de' })
    const page = await context.newPage()
    await page.goto(`${world.url}/wallet/sign-in?token=${token}`)
    await page.getByRole('button', { name: 'Als alice anmelden' }).click()
    for (const language of Object.keys(LANGUAGES)) {
      await context.addCookies([{ name: 'wallet-language', value: language, url: world.url }])
      await page.goto(`${world.url}/wallet/settings`)
      expect(await page.evaluate(brokenWords('nav a span')), language).toEqual([])
    }
    await context.close()
  } finally {
    await world.close()
  }
})
