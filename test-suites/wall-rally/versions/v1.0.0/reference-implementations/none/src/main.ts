import { FACE, HEIGHT, PADDLE_HEIGHT, RADIUS, WIDTH } from "./game.ts";
import { offer, scoreLine } from "./offer.ts";

const SCALE = 3;
const STEP = 1000 / 60;

const { game, scores } = offer(location.origin);
const canvas = document.querySelector("canvas")!;
const screen = canvas.getContext("2d")!;
canvas.width = WIDTH * SCALE;
canvas.height = HEIGHT * SCALE;
screen.scale(SCALE, SCALE);

addEventListener("keydown", (event) => {
  game.held.add(event.key);
  if (event.key === " " && game.state.over) {
    game.reset();
  }
});
addEventListener("keyup", (event) => game.held.delete(event.key));

let behind = 0;
let before = performance.now();

function frame(now: number): void {
  behind = Math.min(behind + now - before, 10 * STEP);
  before = now;
  for (; behind >= STEP; behind -= STEP) {
    const playing = !game.state.over;
    game.step();
    if (playing && game.state.over) {
      void scores.submit(game.state.score);
    }
  }
  draw();
  requestAnimationFrame(frame);
}

function draw(): void {
  const { ball, paddle, over } = game.state;
  screen.fillStyle = "#10141f";
  screen.fillRect(0, 0, WIDTH, HEIGHT);
  screen.fillStyle = over ? "#e4572e" : "#e8e6df";
  screen.beginPath();
  screen.arc(ball.x, ball.y, RADIUS, 0, 2 * Math.PI);
  screen.fill();
  screen.fillRect(FACE - 4, paddle - PADDLE_HEIGHT / 2, 4, PADDLE_HEIGHT);
  screen.font = "24px sans-serif";
  screen.textAlign = "center";
  screen.fillText(scoreLine(game), WIDTH / 2, 30);
}

requestAnimationFrame(frame);
