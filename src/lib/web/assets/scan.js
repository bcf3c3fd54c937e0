// Makes buttons with `data-scan`, the path of a code reader, scan a code with the camera in the dialog `camera`.

const LOOK_MS = 200
/**
 * The greatest width of the picture from which a code is read. A larger picture takes longer to read and shows no more.
 */
const LOOK_WIDTH = 640

/**
 * Resolves to a function that reads the code in a picture, with the browser's own reader if it has one, else with a
 * reader loaded from `path`.
 */
async function codeReader(path) {
  const known = (await globalThis.BarcodeDetector?.getSupportedFormats?.().catch(() => [])) ?? []
  if (known.includes('qr_code')) {
    const detector = new BarcodeDetector({ formats: ['qr_code'] })
    return async (picture) => (await detector.detect(picture))[0]?.rawValue
  }
  if (globalThis.jsQR === undefined) {
    const script = document.createElement('script')
    script.src = path
    document.head.append(script)
    await new Promise((resolve, reject) => Object.assign(script, { onload: resolve, onerror: reject }))
  }
  return async (picture) => {
    const { data, width, height } = picture.getContext('2d').getImageData(0, 0, picture.width, picture.height)
    return jsQR(data, width, height)?.data
  }
}

/** Makes a button fill the field `data-into` of its form with the code in front of the camera. */
function offerScanning(button) {
  if (navigator.mediaDevices?.getUserMedia === undefined) return
  button.hidden = false
  const dialog = document.getElementById('camera')
  const [video, problem, cancel] = ['video', '[role=alert]', 'button'].map((part) => dialog.querySelector(part))
  cancel.addEventListener('click', () => dialog.close())
  button.addEventListener('click', async () => {
    problem.hidden = true
    video.hidden = false
    dialog.showModal()
    try {
      video.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
      await video.play()
      const read = await codeReader(button.dataset.scan)
      const code = await lookUntilRead(video, read, () => dialog.open)
      if (code !== undefined) button.form.elements[button.dataset.into].value = code.replace(/^lightning:/i, '')
      dialog.close()
    } catch {
      video.hidden = true
      problem.hidden = false
    }
    for (const track of video.srcObject?.getTracks() ?? []) track.stop()
    video.srcObject = null
  })
}

/**
 * Reads the camera's picture repeatedly until it shows a code, and resolves to that code; undefined if the dialog is
 * closed first.
 */
async function lookUntilRead(video, read, isOpen) {
  const picture = document.createElement('canvas')
  while (isOpen()) {
    picture.width = Math.min(LOOK_WIDTH, video.videoWidth)
    picture.height = Math.round((video.videoHeight * picture.width) / (video.videoWidth || 1))
    if (picture.width > 0) {
      picture.getContext('2d', { willReadFrequently: true }).drawImage(video, 0, 0, picture.width, picture.height)
      const code = await read(picture)
      if (code) return code
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

for (const button of document.querySelectorAll('[data-scan]')) offerScanning(button)
