import { afterAll, describe, expect, test } from 'vitest'
import { startPage } from '../playground/page-fixture.ts'
import { faults, faultsInBothThemes } from './axe.ts'
import { closeBrowser, openTab, picture } from './browser.ts'
import { openPlayground } from './real-world.ts'

afterAll(closeBrowser)

describe('axe-core in both themes', () => {
  test('finds no serious fault in a conversation, the phone, and the drawer’s tabs', async () => {
    const { page: server } = await startPage()
    const page = await openTab(server.url, { tour: true })
    await page.keyboard.insertText('**hello** `code` @bob ||secret|| https://example.com/')
    await page.keyboard.press('Enter')
    for (const command of ['/whisper', '/board', '/panel', '/picture']) {
      await page.keyboard.type(command)
      await page.keyboard.press('Enter')
      await page.keyboard.press('Enter')
    }
    // The codes of both pictures have been read.
    await page.getByRole('button', { name: 'Scan with the phone' }).nth(1).waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    for (const tab of ['Books', 'Wire', 'Waiting', 'Own wallets']) {
      await page.getByRole('tab', { name: tab }).click()
      expect(await faultsInBothThemes(page)).toEqual([])
    }
    await picture(page, 'axe')
  })

  test('finds no serious fault in commands, menus, a form, a profile, and “Misbehave”', async () => {
    const { page: server } = await startPage()
    const page = await openTab(server.url)
    await page.keyboard.type('/')
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.keyboard.type('order')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.keyboard.type('/board')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Choose a colour' }).click()
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Ask me' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.locator('li.message').last().click({ button: 'right' })
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Members' }).click()
    await page.locator('.members').getByText('Bob').click()
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /You are/ }).click()
    await page.getByRole('button', { name: 'Misbehave' }).click()
    expect(await faultsInBothThemes(page)).toEqual([])
  })
})

test('the playground works from the keyboard alone, and the focus is visible', async () => {
  const { page: server, actions } = await startPage()
  const page = await openTab(server.url)
  const focused = () =>
    page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent')
  async function tabTo(label: RegExp): Promise<void> {
    for (let presses = 0; presses < 60; presses += 1) {
      if (label.test(String(await focused()))) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`Tab never reached ${label}; last was ${await focused()}`)
  }
  await page.keyboard.type('/board')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.locator('.rich', { hasText: 'The board' }).waitFor()
  await page.keyboard.type('second')
  await page.keyboard.press('Enter')
  await page.locator('li.message', { hasText: 'second' }).waitFor()
  await page.locator('body').evaluate('document.activeElement.blur()')
  await tabTo(/^Skip to the composer$/)
  await picture(page, 'skip-link')
  await tabTo(/^tips$/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Welcome to #tips' }).waitFor()
  await page.locator('body').evaluate('document.activeElement.blur()')
  await tabTo(/^general$/)
  await page.keyboard.press('Enter')
  await page.locator('.rich', { hasText: 'The board' }).waitFor()
  await tabTo(/^Messages$/)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  expect(await page.getByRole('menuitem').count()).toBeGreaterThan(3)
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowUp')
  await tabTo(/^Press me$/)
  const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')
  expect(outline).toBe('solid')
  await picture(page, 'keyboard')
  await page.keyboard.press('Enter')
  await page.locator('.rich', { hasText: 'Pressed.' }).waitFor()
  await tabTo(/^Members$/)
  await page.keyboard.press('Space')
  await page.getByRole('complementary', { name: 'Members' }).waitFor()
  await tabTo(/^Books$/)
  await page.keyboard.press('Enter')
  await page.getByRole('tabpanel').waitFor()
  await page.locator('body').evaluate('document.activeElement.blur()')
  await tabTo(/^You are\s*Alice/)
  await page.keyboard.press('Enter')
  await expect.poll(focused).toContain('Alice')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /You are Bob/ }).waitFor()
  expect(actions).toEqual(['used board', 'pressed press'])
})

test('on a phone, the playground fits the screen, and its panels can be reached', async () => {
  const { url } = await openPlayground()
  const page = await openTab(url, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const noOverflow = async () =>
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await noOverflow()
  await page.getByRole('button', { name: 'Channels', exact: true }).click()
  await noOverflow()
  await page.getByRole('button', { name: 'tips', exact: true }).click()
  await page.getByRole('heading', { name: 'Welcome to #tips' }).waitFor()
  await page.locator('#composer').tap()
  await page.keyboard.type('/deposit 2500')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Scan with the phone' }).first().tap()
  await page.getByRole('button', { name: 'Pay 2,500 sats' }).tap()
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  await picture(page, 'narrow-paid')
  await page.getByRole('button', { name: 'Done' }).tap()
  await page.getByText('Your deposit of 2,500 test sats has arrived').waitFor()
  // The card no longer has a code.
  expect(await page.getByRole('button', { name: 'Scan with the phone' }).count()).toBe(0)
  await noOverflow()
  await picture(page, 'narrow-chat')
  expect(await faults(page)).toEqual([])
  await page.getByRole('button', { name: 'Books' }).tap()
  await page.getByRole('heading', { name: 'The bot’s books' }).waitFor()
  await noOverflow()
  // Both books at their full length, one after the other: the panel around them scrolls.
  const cut = "[...document.querySelectorAll('.book-columns')].some((book) => book.scrollHeight > book.clientHeight)"
  expect(await page.evaluate(cut)).toBe(false)
  expect(await faults(page)).toEqual([])
  await page.getByRole('button', { name: 'Chat' }).tap()
  await page.getByRole('button', { name: 'Members' }).tap()
  await page.getByRole('complementary', { name: 'Members' }).waitFor()
  await noOverflow()
})

test('no animation runs if a person prefers reduced motion', async () => {
  const { page: server } = await startPage()
  const page = await openTab(server.url, { reducedMotion: 'reduce' })
  await page.keyboard.type('/')
  await page.getByRole('listbox').waitFor()
  const longest = await page.evaluate(
    'Math.max(...document.getAnimations().map((each) => Number(each.effect.getComputedTiming().activeDuration)), 0)',
  )
  expect(longest).toBeLessThanOrEqual(1)
})
