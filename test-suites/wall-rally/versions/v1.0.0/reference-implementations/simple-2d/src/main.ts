import { play, type Scene } from "../engine/simple-2d.ts";
import { FACE, HEIGHT, PADDLE_HEIGHT, RADIUS, WIDTH } from "./game.ts";
import { offer, scoreLine } from "./offer.ts";

const NIGHT = "#10141f";
const CHALK = "#e8e6df";
const EMBER = "#e4572e";

const game = offer();

const scene: Scene = {
  width: WIDTH,
  height: HEIGHT,
  step(held) {
    if (game.state.over && held.has(" ")) {
      game.reset();
    }
    game.keyboard = held;
    game.step();
  },
  draw(screen) {
    const { ball, paddle, over } = game.state;
    const colour = over ? EMBER : CHALK;
    screen.fill(NIGHT);
    screen.disc(ball.x, ball.y, RADIUS, colour);
    screen.rectangle(FACE - 4, paddle - PADDLE_HEIGHT / 2, 4, PADDLE_HEIGHT, colour);
    screen.text(scoreLine(game), WIDTH / 2, 30, 24, colour);
  },
};

play(scene, document.querySelector("canvas")!);
