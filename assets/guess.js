/* A verdict behind a guess: it stays hidden through every change until its reader reveals it. */
(function () {
  "use strict";

  const { actions, ask, onScreen, setProps, setText, settled } = window.foptrn;
  const part = (page, name) => document.getElementById(`${page.slug}-${name}`);

  function reveal(page, text) {
    page.root.dataset.guess = "told";
    setText(`${page.slug}-guess-told`, text);
    part(page, text ? "guess-told" : "guess-again").focus({ preventScroll: true });
  }

  Object.assign(actions, {
    guess: (page) => ask(page, { values: { ...page.values }, kept: true, guess: part(page, "guess").value }),
    reveal: (page) => reveal(page, ""),
    "guess-again": (page) => {
      page.root.dataset.guess = "asked";
      page.guessed = null;
      setText(`${page.slug}-guess-told`, "");
      setProps(`${page.slug}-guess`, { value: "" });
      part(page, "guess").focus();
    },
  });

  settled.push((page, answer) => {
    const { guess } = answer;
    if (guess && guess.error) {
      setProps(`${page.slug}-guess-error`, { children: guess.error });
      part(page, "guess").setAttribute("aria-invalid", "true");
    } else if (guess) {
      page.guessed = answer.query;
      reveal(page, guess.text);
    } else if (page.guessed !== answer.query) {
      // The comparison was with another state's number.
      setText(`${page.slug}-guess-told`, "");
    }
  });

  document.addEventListener("keydown", (event) => {
    const page = onScreen();
    if (event.key === "Enter" && page && event.target === part(page, "guess")) actions.guess(page);
  });
})();
