import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { closeBrowser, openTab, picture } from './browser.ts'
import { openPlayground } from './real-world.ts'

afterAll(closeBrowser)

async function use(page: Page, command: string): Promise<void> {
  await page.locator('#composer').click()
  await page.keyboard.type(command)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
}

test('a command is found, filled in with suggestions, and checked before it is sent', async () => {
  const { url } = await openPlayground()
  const page = await openTab(url)
  await page.keyboard.type('/tp')
  await page.getByRole('option', { name: /^\/tip/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('[data-field=to]:focus').waitFor()
  await page.keyboard.type('regul')
  await page.getByRole('option', { name: /@Regulars/ }).click()
  await page.keyboard.press('Enter')
  await page.getByText('This option is required. Specify a value.').waitFor()
  await page.keyboard.type('5k')
  await page.getByRole('option', { name: /5,000 test sats/ }).waitFor()
  await page.getByRole('button', { name: /Add the option split/ }).click()
  expect(await page.getByRole('option').allTextContents()).toEqual(['True', 'False'])
  await picture(page, 'autocomplete')
  await page.keyboard.type('maybe')
  await page.getByText('No options match your search.').waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Input a valid boolean.').waitFor()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('tr')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.locator('li.message', { hasText: 'too small to tip' }).waitFor()
})

test('the words of a command that is typed in one go fill in its options', async () => {
  const { url } = await openPlayground()
  const page = await openTab(url)
  const tooSmall = page.locator('li.message', { hasText: 'too small to tip' })
  for (const [before, typed] of ['/tip bob 500', '/tip @bob 500', '/tip @Regulars 500'].entries()) {
    await page.keyboard.type(typed)
    expect(await page.locator('[data-field=amount]').inputValue()).toBe('500')
    expect(await page.locator('.chip.chosen').count()).toBe(1)
    await page.keyboard.press('Enter')
    await tooSmall.nth(before).waitFor()
  }
  for (const [typed, needs] of [
    ['/drop 300 3', '300 test sats'],
    ['/giveaway start 500 2 1d 12h', '1,000 test sats'],
    ['/drop 0.000004 btc 2', '400 test sats'],
  ] as const) {
    await page.keyboard.type(typed)
    await page.keyboard.press('Enter')
    await page
      .locator('li.message', { hasText: `this needs ${needs}` })
      .first()
      .waitFor()
  }
})

test('a clickable command in a message appears in the composer when it is pressed', async () => {
  const { url } = await openPlayground()
  const page = await openTab(url)
  await use(page, '/balance')
  const balance = page.locator('li.message', { hasText: 'Nothing here yet' })
  await picture(page, 'commands-to-press')
  await balance.getByRole('button', { name: '/deposit' }).click()
  await page.locator('[data-field=amount]:focus').waitFor()
  await page.keyboard.type('1000')
  await page.keyboard.press('Enter')
  await page.getByText('Deposit 1,000 test sats').first().waitFor()
})

test('menus work after a reload, and a form that a reload closed can be opened again', async () => {
  const { url, world } = await openPlayground()
  const page = await openTab(url, { as: 'mod' })
  await use(page, '/settings')
  await page.getByRole('combobox').filter({ hasText: 'same as Discord' }).click()
  await page.getByRole('option', { name: 'English' }).click()
  await page.locator('.embed', { hasText: 'Language: English' }).waitFor()
  await page.getByRole('button', { name: 'Server settings' }).click()
  await page.getByRole('combobox').last().click()
  await page.reload()
  await page.getByText('This server’s settings').or(page.getByText("This server's settings")).waitFor()
  await page.getByRole('combobox').last().click()
  await page.getByRole('option', { name: 'Smallest tip' }).click()
  await picture(page, 'settings')
  world.emulator.as(world.cast.people.bob ?? '').say(world.cast.channels.general, 'Here is how it works.')
  const written = page.locator('li.message', { hasText: 'Here is how it works.' })
  const openForm = async () => {
    await written.click({ button: 'right' })
    await page.getByRole('menuitem', { name: /Tip this message/ }).click()
    await page.getByRole('dialog').waitFor()
  }
  await openForm()
  await page.reload()
  await written.waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  await openForm()
  await page.locator('.form label', { hasText: /^500 / }).click()
  await picture(page, 'tip-form')
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.locator('li.message', { hasText: 'too small to tip' }).waitFor()
})

test('a form shows a choice beside its radio button and keeps Submit in view', async () => {
  const { url } = await openPlayground()
  const page = await openTab(url)
  await use(page, '/giveaway start')
  const choice = page.locator('.form label', { hasText: '30 minutes' })
  await choice.waitFor()
  const circle = await choice.locator('input').boundingBox()
  const text = await choice.locator('span').boundingBox()
  const end = (circle?.x ?? 0) + (circle?.width ?? 0)
  expect((text?.x ?? 0) - end).toBeGreaterThan(0)
  expect((text?.x ?? 0) - end).toBeLessThan(24)
  expect(Math.abs((circle?.y ?? 0) - (text?.y ?? 0))).toBeLessThan(8)
  const submit = await page.getByRole('button', { name: 'Submit' }).boundingBox()
  expect((submit?.y ?? 0) + (submit?.height ?? 0)).toBeLessThan(page.viewportSize()?.height ?? 0)
  await picture(page, 'form-of-choices')
})

test('a file option does not say “No options match your search.”', async () => {
  const { url } = await openPlayground()
  const page = await openTab(url, { as: 'mod' })
  await page.keyboard.type('/pool pay')
  await page.keyboard.press('Enter')
  await page.locator('input[type=file]:focus').waitFor()
  await page.getByText('CSV, a line for each').waitFor()
  expect(await page.getByText('No options match your search.').count()).toBe(0)
})

test.each(['Escape', 'a click elsewhere'])(
  'a menu for choosing several people saves the choices when it is closed by %s',
  async (end) => {
    const { url } = await openPlayground()
    const page = await openTab(url, { as: 'mod' })
    await use(page, '/settings')
    await page.getByRole('button', { name: 'Server settings' }).click()
    await page.getByRole('combobox').filter({ hasText: 'What would you like to change?' }).click()
    await page.getByRole('option', { name: 'People excluded' }).click()
    const people = page.getByRole('combobox').last()
    await people.filter({ hasText: 'Pick people' }).click()
    for (const name of ['Carol', 'Dave']) await page.getByRole('option', { name }).click()
    if (end === 'Escape') await page.keyboard.press('Escape')
    else
      await page
        .locator('.message', { hasText: 'Your settings' })
        .last()
        .click({ position: { x: 5, y: 5 } })
    await page.locator('.embed', { hasText: /Excluded people:[^:]*Carol[^:]*Dave/ }).waitFor()
  },
)
