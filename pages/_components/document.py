"""The HTML document around the app: language, theme before the first paint, fonts."""

from __future__ import annotations

from typing import Any

from dash import html

from pages._components.assets import asset_address
from pages._components.theme import style_sheet

_TEMPLATE = """<!DOCTYPE html>
<html lang="en">
<head>
{%metas%}
<meta name="color-scheme" content="light dark">
<title>{%title%}</title>
<script src="HEAD_SCRIPT"></script>
<link rel="preload" href="FONT" as="font" type="font/woff2" crossorigin>
<style>@font-face{font-family:Inter;font-style:normal;font-weight:100 900;font-display:swap;src:url(FONT) format("woff2")}
TOKENS</style>
{%favicon%}
{%css%}
</head>
<body>
{%app_entry%}
<footer class="dash-scripts">{%config%}{%scripts%}{%renderer%}</footer>
</body>
</html>"""


def index_string() -> str:
    """Dash's page template with our head; asset addresses carry the base path."""
    return (
        _TEMPLATE.replace("HEAD_SCRIPT", asset_address("head.js"))
        .replace("FONT", asset_address("inter-latin.woff2"))
        .replace("TOKENS", style_sheet())
    )


def bare(layout: Any) -> html.Div:
    """The components that have an id, without what they hold.

    Dash sends a layout of all pages with every document, for the browser to check callbacks
    against. Ids and kinds are enough for that; the figures in it would weigh 200 kB compressed.
    """
    named = (item for item in layout._traverse() if getattr(item, "id", None))
    return html.Div([type(item)(id=item.id) for item in named])
