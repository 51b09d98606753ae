"""What stands between a browser and the pages: settings, headers, the API."""
