/** simple-2d: a canvas, the keys that are held, and steps of a sixtieth of a second. */

export interface Screen {
  fill(colour: string): void;
  rectangle(x: number, y: number, width: number, height: number, colour: string): void;
  disc(x: number, y: number, radius: number, colour: string): void;
  /** Text around the x of its middle, on the y of its base line. */
  text(words: string, x: number, y: number, size: number, colour: string): void;
}

export interface Scene {
  readonly width: number;
  readonly height: number;
  /** One step; the keys are those that are held now, by the names that the browser gives them. */
  step(held: ReadonlySet<string>): void;
  draw(screen: Screen): void;
}

const STEP = 1000 / 60;
const MOST_STEPS = 10;

/** Play a scene on a canvas for as long as the page is open. */
export function play(scene: Scene, canvas: HTMLCanvasElement, scale = 3): void {
  const { width, height } = scene;
  canvas.width = width * scale;
  canvas.height = height * scale;
  const context = canvas.getContext("2d")!;
  context.scale(scale, scale);
  context.textAlign = "center";
  const screen = screenOn(context, width, height);
  const held = new Set<string>();
  addEventListener("keydown", (event) => held.add(event.key));
  addEventListener("keyup", (event) => held.delete(event.key));
  addEventListener("blur", () => held.clear());
  let before = performance.now();
  let behind = 0;
  const frame = (now: number): void => {
    behind = Math.min(behind + now - before, MOST_STEPS * STEP);
    before = now;
    for (; behind >= STEP; behind -= STEP) {
      scene.step(held);
    }
    scene.draw(screen);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

function screenOn(context: CanvasRenderingContext2D, width: number, height: number): Screen {
  return {
    fill: (colour) => {
      context.fillStyle = colour;
      context.fillRect(0, 0, width, height);
    },
    rectangle: (x, y, wide, high, colour) => {
      context.fillStyle = colour;
      context.fillRect(x, y, wide, high);
    },
    disc: (x, y, radius, colour) => {
      context.fillStyle = colour;
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.fill();
    },
    text: (words, x, y, size, colour) => {
      context.fillStyle = colour;
      context.font = `${size}px sans-serif`;
      context.fillText(words, x, y);
    },
  };
}
