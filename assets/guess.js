/* A verdict behind a guess: it stays hidden through every change until its reader reveals it. */
(function () {
  "use strict";

  const { actions, ask, onScreen, setProps, setText, settled } = window.foptrn;
  const part = (page, name) => document.getElementById(`${page.slug}-${name}`);

  // Figures that were covered take their size, and a tour's step that waited is shown.
  function uncover(page, state) {
    page.root.dataset.guess = state;
    window.dispatchEvent(new Event("resize"));
    window.foptrn.showTour(page);
  }

  // A box has a value; of choices the one that is taken.
  function written(page) {
    const field = part(page, "guess");
    const chosen = field.querySelector("input:checked");
    return field.matches("input") ? field.value : chosen ? chosen.value : "";
  }

  function reveal(page, text) {
    uncover(page, "told");
    setText(`${page.slug}-guess-told`, text);
    part(page, text ? "guess-told" : "guess-again").focus({ preventScroll: true });
  }

  Object.assign(actions, {
    guess: (page) => ask(page, { values: { ...page.values }, kept: true, guess: written(page) }),
    reveal: (page) => reveal(page, ""),
    "guess-again": (page) => {
      uncover(page, "asked");
      page.guessed = null;
      setText(`${page.slug}-guess-told`, "");
      const field = part(page, "guess");
      setProps(field.id, { value: "" });
      (field.matches("input") ? field : field.querySelector("input")).focus();
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
